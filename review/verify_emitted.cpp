// Verification by clang's libTooling, in memory. The emitted files lie in a virtual folder on top of the real file
// system, beside a folder with our stand-ins for CUDA's headers; the driver is told not to look for a toolkit.
#include "review/verify_emitted.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "review/cuda_headers.h"

namespace sinter {

namespace {

// Where the virtual folders are; no such paths exist on a disk.
const std::string kProject = "/sinter-project/";
const std::string kCudaHeaders = "/sinter-cuda-headers/";

std::string resource_directory() {
  const char* chosen = std::getenv("SINTER_CLANG_RESOURCE_DIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : SINTER_CLANG_RESOURCE_DIR;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> virtual_files(const FileSet& files) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const std::string& path, llvm::StringRef content) {
    memory->addFile(path, /*ModificationTime=*/0, llvm::MemoryBuffer::getMemBufferCopy(content, path));
  };
  for (const auto& [path, content] : files) add(kProject + path, content);
  for (const auto& [name, content] : cuda_headers()) {
    add(kCudaHeaders + std::string(name), llvm::StringRef(content.data(), content.size()));
  }
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  overlay->pushOverlay(memory);
  return overlay;
}

std::vector<std::string> command_line(const std::string& side, const std::string& path) {
  return {"clang++", "-x", "cuda", side, "--cuda-gpu-arch=sm_90a",
          // No toolkit: what is installed must not change the verdict.
          "-nocudainc", "-nocudalib", "--cuda-path=" + kCudaHeaders, "-Wno-unknown-cuda-version", "-resource-dir",
          resource_directory(), "-isystem", kCudaHeaders, "-include", "cuda_runtime.h", "-I" + kProject, "-std=c++20",
          "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-fno-caret-diagnostics", "-fsyntax-only",
          kProject + path};
}

// Without the virtual folder's name.
std::string relative_paths(std::string text) {
  for (const std::string& folder : {kProject, kCudaHeaders}) {
    for (size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
      text.erase(at, folder.size());
    }
  }
  return text;
}

}  // namespace

bool verify_cuda(const FileSet& files, std::string& report) {
  report.clear();
  if (!llvm::sys::fs::exists(resource_directory() + "/include/stddef.h")) {
    report = "clang's own headers are not in " + resource_directory() +
             "; let SINTER_CLANG_RESOURCE_DIR name the directory that `clang -print-resource-dir` prints\n";
    return false;
  }
  const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system = virtual_files(files);
  bool good = true;
  for (const auto& [path, content] : files) {
    if (!llvm::StringRef(path).ends_with(".cu")) continue;
    for (const char* side : {"--cuda-device-only", "--cuda-host-only"}) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
      options->ShowColors = false;
      options->ShowCarets = true;  // off on the command line, where it makes clang count errors on stderr
      clang::TextDiagnosticPrinter printer(stream, options.get());
      auto manager = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), file_system);
      clang::tooling::ToolInvocation invocation(command_line(side, path), std::make_unique<clang::SyntaxOnlyAction>(),
                                                manager.get());
      invocation.setDiagnosticConsumer(&printer);
      const bool parsed = invocation.run();
      stream.flush();
      if (parsed && text.empty()) continue;
      good = false;
      report += relative_paths(text.empty() ? path + ": clang could not be run\n" : text);
      break;  // the host side mostly says the same again
    }
  }
  return good;
}

}  // namespace sinter
