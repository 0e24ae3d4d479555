#include "review/diff/read_code.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

#include "review/diff/code_reader.h"
#include "review/verify/cuda_source.h"

namespace sinter {

namespace {

// Gives the tree to CodeReader while clang has it.
class ReadAction : public clang::ASTFrontendAction {
 public:
  explicit ReadAction(std::optional<Code>* code) : code_(code) {}

 private:
  class Consumer : public clang::ASTConsumer {
   public:
    explicit Consumer(std::optional<Code>* code) : code_(code) {}
    void HandleTranslationUnit(clang::ASTContext& context) override {
      if (!context.getDiagnostics().hasErrorOccurred()) *code_ = CodeReader(context).run();
    }

   private:
    std::optional<Code>* code_;
  };

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>(code_);
  }

  std::optional<Code>* code_;
};

}  // namespace

struct FolderReader::Impl {
  VirtualFiles files;
};

FolderReader::FolderReader(const FileSet& files) : impl_(new Impl{virtual_files(files)}) {}
FolderReader::~FolderReader() { delete impl_; }

std::optional<Code> FolderReader::read(const std::string& path, std::string& error) const {
  error.clear();
  llvm::raw_string_ostream stream(error);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  options->ShowColors = false;
  options->ShowCarets = true;  // off on the command line, where it makes clang count errors on stderr
  clang::TextDiagnosticPrinter printer(stream, options.get());
  clang::CompilerInstance compiler;
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  const std::vector<std::string> line = cuda_command_line(Side::kDevice, path, /*warnings=*/false);
  std::vector<const char*> words;
  for (const std::string& word : line) words.push_back(word.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, compiler.getDiagnostics())) {
    error = path + ": clang could not be run\n";
    return std::nullopt;
  }
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.createFileManager(impl_->files);
  std::optional<Code> code;
  ReadAction action(&code);
  compiler.ExecuteAction(action);
  stream.flush();
  for (size_t at = error.find(kProjectFolder); at != std::string::npos; at = error.find(kProjectFolder)) {
    error.erase(at, kProjectFolder.size());
  }
  if (!code && error.empty()) error = path + ": clang could not read it\n";
  return code;
}

}  // namespace sinter
