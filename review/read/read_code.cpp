#include "review/read/read_code.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>

#include "review/read/code_reader.h"
#include "review/read/conditional_text.h"
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

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(conditional_text(compiler.getPreprocessor(), &conditionals_));
    return std::make_unique<Consumer>(code_);
  }

  void EndSourceFileAction() override {
    if (code_->has_value()) (*code_)->conditionals = std::move(conditionals_);
  }

  std::optional<Code>* code_;
  std::vector<Conditional> conditionals_;
};

}  // namespace

struct FolderReader::Impl {
  VirtualFiles files;
};

FolderReader::FolderReader(const FileSet& files) : impl_(new Impl{virtual_files(files)}) {}
FolderReader::~FolderReader() { delete impl_; }

std::optional<Code> FolderReader::read(const std::string& path, std::string& error, const FileSet& instead) const {
  std::optional<Code> code;
  ReadAction action(&code);
  const VirtualFiles files = instead.empty() ? impl_->files : with_files(impl_->files, instead);
  run_clang(action, CudaSide::kDevice, path, /*warnings=*/false, files, error);
  if (!code && error.empty()) error = path + ": clang could not read it\n";
  return code;
}

}  // namespace sinter
