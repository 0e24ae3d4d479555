// The folder as it is emitted, a source file a process of the compiler. Objects are kept: where one kernel was edited,
// it alone is compiled again.
#include "driver/build/build_emitted.h"

#include <algorithm>

#include "driver/build/build_cache.h"
#include "driver/build/precompiled_head.h"
#include "driver/build/unity_source.h"
#include "driver/system/parallel.h"
#include "driver/system/subprocess.h"

namespace sinter {
namespace {

bool is_source(const std::string& path) { return path.ends_with(".cu") || path.ends_with(".cpp"); }

class FolderBuilder {
 public:
  FolderBuilder(const FileSet& files, const std::string& architectures, Device device)
      : files_(files), device_(device), compiler_(compiler_command(architectures, device)) {
    for (const auto& [path, content] : files) {
      if (!is_source(path)) beside_sources_.emplace(path, content);
    }
    if (device == Device::kCpu) use_head();
  }

  std::optional<std::string> build(const std::string& executable, std::string& error) const {
    FileSet files = files_;
    for (const std::string& path : in_head_) files.erase(path);
    const auto compile_and_link = [&](const std::string& folder) { return built_in(folder, executable); };
    return build_cached(cache_key(files_, compiler_), files, executable, compile_and_link, error);
  }

 private:
  // Where the folder has these headers as we wrote them.
  void use_head() {
    const FileSet headers = unity_headers();
    const auto is_ours = [&](const auto& file) {
      const auto own = files_.find(file.first);
      return own == files_.end() || own->second == file.second;
    };
    if (!std::all_of(headers.begin(), headers.end(), is_ours)) return;
    head_ = use_precompiled_head(headers, &compiler_);
    if (head_.empty()) return;
    for (const auto& [path, content] : headers) in_head_.push_back(path);
  }

  // Other sources include little, and are compiled before what is precompiled is read.
  bool needs_head(const std::string& path) const {
    return !head_.empty() && (path.ends_with(".cu") || path == "main.cpp");
  }

  // What went wrong, or empty.
  std::string built_in(const std::string& folder, const std::string& executable) const {
    std::vector<std::string> key_words = compiler_;
    key_words.push_back(cache_key(beside_sources_, {}));
    std::vector<std::string> sources;
    for (const auto& [path, content] : files_) {
      if (is_source(path)) sources.push_back(path);
    }
    std::vector<std::string> objects(sources.size()), errors(sources.size());
    for_each_parallel(sources.size(), [&](size_t i) {
      std::vector<std::string> command = compiler_;
      if (needs_head(sources[i])) command.insert(command.end(), {"-include", head_});
      if (device_ == Device::kCpu) command.insert(command.end(), {"-x", "c++"});
      const auto compile = [&](const std::string& aside) -> std::string {
        command.insert(command.end(), {"-c", sources[i], "-o", aside + "/object.o"});
        const ProcessResult result = run_process(command, folder);
        return result.exit_status == 0 ? "" : result.output;
      };
      const std::string key = cache_key({*files_.find(sources[i])}, key_words);
      objects[i] = build_cached(key, {}, "object.o", compile, errors[i]).value_or("");
    });
    for (const std::string& error : errors) {
      if (!error.empty()) return error;
    }
    std::vector<std::string> link = {compiler_[0], "-o", executable};
    link.insert(link.end(), objects.begin(), objects.end());
    for (const std::string& flag : library_flags(files_, device_)) link.push_back(flag);
    if (device_ == Device::kCpu) {
      link.push_back("-pthread");
      for (const std::string& flag : user_flags()) link.push_back(flag);
    }
    const ProcessResult linked = run_process(link, folder);
    return linked.exit_status == 0 ? "" : linked.output;
  }

  const FileSet& files_;
  Device device_;
  std::vector<std::string> compiler_;
  FileSet beside_sources_;
  std::string head_;                  // path of the head.h that is precompiled, or empty
  std::vector<std::string> in_head_;  // paths of what lies beside it, and is left out of the folder
};

}  // namespace

std::optional<std::string> build_emitted(const FileSet& files, const std::string& name,
                                         const std::string& architectures, Device device, std::string& error) {
  return FolderBuilder(files, architectures, device).build(name + "_cli", error);
}

}  // namespace sinter
