// Verification by clang's frontend, in memory.
#include "review/verify/verify_emitted.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

#include <vector>

#include "review/verify/cuda_source.h"
#include "review/verify/headers.h"

namespace sinter {

namespace {

// Without the virtual folders' names.
std::string relative_paths(std::string text) {
  for (const std::string& folder : {kProjectFolder, kHeadersFolder}) {
    for (size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
      text.erase(at, folder.size());
    }
  }
  return text;
}

// What clang says of one side of a file; empty if it has nothing to say.
std::string complaints(Side side, const std::string& path, Complaints counted, const VirtualFiles& file_system) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  options->ShowColors = false;
  options->ShowCarets = true;  // off on the command line, where it makes clang count errors on stderr
  clang::TextDiagnosticPrinter printer(stream, options.get());

  clang::CompilerInstance compiler;
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  const std::vector<std::string> line = cuda_command_line(side, path, counted == Complaints::kWarnings);
  std::vector<const char*> words;
  for (const std::string& word : line) words.push_back(word.c_str());
  const bool understood =
      clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, compiler.getDiagnostics());
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);  // with the warnings asked for
  compiler.createFileManager(file_system);
  clang::SyntaxOnlyAction action;
  const bool parsed = understood && compiler.ExecuteAction(action);
  stream.flush();
  if (!parsed && text.empty()) return path + ": clang could not be run\n";
  return relative_paths(text);
}

// Of the device's side; of the host's, which mostly says the same again, where the first has none. A launcher has no
// device code.
std::string complaints(const std::string& path, llvm::StringRef content, Complaints counted,
                       const VirtualFiles& file_system) {
  std::string text;
  if (content.contains("__global__") || content.contains("__device__") || content.contains("#include \"device/")) {
    text = complaints(Side::kDevice, path, counted, file_system);
  }
  return text.empty() ? complaints(Side::kHost, path, counted, file_system) : text;
}

void one_by_one(size_t count, const std::function<void(size_t)>& work) {
  for (size_t i = 0; i < count; ++i) work(i);
}

}  // namespace

bool verify_cuda(const FileSet& files, std::string& report, const ForEach& for_each, Complaints counted) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : files) {
    if (path.ends_with(".cu")) paths.push_back(path);
  }
  const VirtualFiles file_system = virtual_files(files);
  std::vector<std::string> texts(paths.size());
  const auto verify_file = [&](size_t i) { texts[i] = complaints(paths[i], files.at(paths[i]), counted, file_system); };
  (for_each ? for_each : ForEach(one_by_one))(paths.size(), verify_file);
  report.clear();
  for (const std::string& text : texts) report += text;
  return report.empty();
}

}  // namespace sinter
