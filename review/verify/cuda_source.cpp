#include "review/verify/cuda_source.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "emitter/text/user_header.h"
#include "review/verify/headers.h"
#include "review/verify/virtual_folders.h"

namespace sinter {

namespace {

// What a .cu may include, or is. The rest is C++ for the CPU, and no small part.
bool is_cuda(const std::string& path) {
  return may_be_included(path) && !path.starts_with("cpu/") && !path.starts_with("runner/");
}

constexpr llvm::StringRef kWordCharacters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

llvm::StringSet<> words_of(const FileSet& files) {
  llvm::StringSet<> words;
  for (const auto& [path, text] : files) {
    if (!is_cuda(path)) continue;
    for (llvm::StringRef rest = text; !rest.empty();) {
      rest = rest.drop_front(std::min(rest.find_first_of(kWordCharacters), rest.size()));
      const llvm::StringRef word = rest.take_front(rest.find_first_not_of(kWordCharacters));
      words.insert(word);
      rest = rest.drop_front(word.size());
    }
  }
  return words;
}

// The name in a line that declares one function of device code; empty for other lines.
llvm::StringRef declared_function(llvm::StringRef line) {
  if (!line.consume_front("__host__ __device__ ") && !line.consume_front("__device__ ")) return "";
  if (!line.ends_with(";") && !line.ends_with("}")) return "";
  const llvm::StringRef before = line.take_until([](char c) { return c == '('; });
  return before.size() == line.size() ? "" : before.drop_front(before.find_last_not_of(kWordCharacters) + 1);
}

// A stand-in without the functions that no emitted file names: several hundred declarations are most of what clang
// would read. Lines stay where they are.
std::string without_unused(std::string_view header, const llvm::StringSet<>& words) {
  std::string text;
  for (llvm::StringRef rest(header.data(), header.size()); !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    const llvm::StringRef name = declared_function(line);
    if (name.empty() || words.contains(name)) text += line;
    text += '\n';
  }
  return text;
}

// Of `clang -cc1`.
std::vector<std::string> cuda_command_line(CudaSide side, const std::string& path, bool warnings) {
  const std::string host = "x86_64-unknown-linux-gnu", device = "nvptx64-nvidia-cuda";
  std::vector<std::string> line;
  if (side == CudaSide::kDevice) {
    line = {"-triple", device, "-aux-triple", host, "-fcuda-is-device", "-target-cpu", "sm_90a"};
  } else {
    line = {"-triple", host, "-aux-triple", device, "-target-cpu", "x86-64"};
  }
  line.insert(line.end(), {"-x",
                           "cuda",
                           "-std=c++20",
                           "-fsyntax-only",
                           "-fgnuc-version=4.2.1",
                           "-fcxx-exceptions",
                           "-fexceptions",
                           "-ffp-contract=off",
                           "-nostdsysteminc",
                           "-nobuiltininc",
                           "-isystem",
                           kHeadersFolder,
                           "-include",
                           "cuda_runtime.h",
                           "-I",
                           kProjectFolder,
                           "-I",
                           kProjectFolder + "include",
                           "-fno-caret-diagnostics",
                           kProjectFolder + path});
  if (warnings) {
    line.insert(line.end(), {"-Wall", "-Wextra", "-Werror"});
  } else {
    // Clang drops attributes that it does not know.
    line.insert(line.end(), {"-Wno-everything", "-Werror=unknown-attributes"});
  }
  return line;
}

// Without the virtual folders' names.
void use_relative_paths(std::string& text) {
  for (const std::string& folder : {kProjectFolder, kHeadersFolder}) {
    for (size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
      text.erase(at, folder.size());
    }
  }
}

}  // namespace

VirtualFiles virtual_files(const FileSet& files) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const std::string& path, const std::string& text) {
    memory->addFile(path, /*ModificationTime=*/0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  };
  const llvm::StringSet<> words = words_of(files);
  for (const auto& [path, text] : files) {
    if (is_cuda(path)) add(kProjectFolder + path, text);
  }
  for (const auto& [name, text] : stand_in_headers())
    add(kHeadersFolder + std::string(name), without_unused(text, words));
  return memory;
}

VirtualFiles with_files(const VirtualFiles& files, const FileSet& instead) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& [path, text] : instead) {
    memory->addFile(kProjectFolder + path, /*ModificationTime=*/0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  }
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
  both->pushOverlay(memory);
  return both;
}

bool run_clang(clang::FrontendAction& action, CudaSide side, const std::string& path, bool warnings,
               const VirtualFiles& files, std::string& said) {
  said.clear();
  llvm::raw_string_ostream stream(said);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  options->ShowColors = false;
  options->ShowCarets = true;  // off on the command line, where it makes clang count errors on stderr
  clang::TextDiagnosticPrinter printer(stream, options.get());

  clang::CompilerInstance compiler;
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  const std::vector<std::string> line = cuda_command_line(side, path, warnings);
  std::vector<const char*> words;
  for (const std::string& word : line) words.push_back(word.c_str());
  const bool understood =
      clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, compiler.getDiagnostics());
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);  // with the warnings asked for
  compiler.createFileManager(files);
  const bool ran = understood && compiler.ExecuteAction(action);
  stream.flush();
  use_relative_paths(said);
  return ran;
}

}  // namespace sinter
