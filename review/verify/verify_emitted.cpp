// Verification by clang's frontend, in memory.
#include "review/verify/verify_emitted.h"

#include <clang/Frontend/FrontendActions.h>

#include <vector>

#include "emitter/text/user_header.h"
#include "review/verify/cuda_source.h"

namespace sinter {

namespace {

// What clang says of one side of a file; empty if it has nothing to say.
std::string complaints(CudaSide side, const std::string& path, Complaints counted, const VirtualFiles& file_system) {
  std::string text;
  clang::SyntaxOnlyAction action;
  const bool parsed = run_clang(action, side, path, counted == Complaints::kWarnings, file_system, text);
  return !parsed && text.empty() ? path + ": clang could not be run\n" : text;
}

// Of the device's side; of the host's, which mostly says the same again, where the first has none. A launcher has no
// device code.
std::string complaints(const std::string& path, llvm::StringRef content, Complaints counted,
                       const VirtualFiles& file_system) {
  std::string text;
  if (content.contains("__global__") || content.contains("__device__") || content.contains("#include \"device/")) {
    text = complaints(CudaSide::kDevice, path, counted, file_system);
  }
  return text.empty() ? complaints(CudaSide::kHost, path, counted, file_system) : text;
}

// Headers of the user's own are their author's: clang is not to warn of them.
FileSet without_header_warnings(FileSet files) {
  for (auto& [path, text] : files) {
    if (is_user_header(path)) text.insert(0, "#pragma clang system_header\n#line 1\n");
  }
  return files;
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
  const VirtualFiles file_system = virtual_files(without_header_warnings(files));
  std::vector<std::string> texts(paths.size());
  const auto verify_file = [&](size_t i) { texts[i] = complaints(paths[i], files.at(paths[i]), counted, file_system); };
  (for_each ? for_each : ForEach(one_by_one))(paths.size(), verify_file);
  report.clear();
  for (const std::string& text : texts) report += text;
  return report.empty();
}

}  // namespace sinter
