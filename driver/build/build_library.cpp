// Consecutive programs share a library.
#include "driver/build/build_library.h"

#include <algorithm>

#include "driver/build/build_cache.h"
#include "driver/build/precompiled_head.h"
#include "driver/system/parallel.h"
#include "driver/system/subprocess.h"

namespace sinter {
namespace {

// Few enough that a program which does not build costs little, many enough that headers cost little.
constexpr size_t kMostPrograms = 32;

class LibraryBuilder {
 public:
  LibraryBuilder(const std::string& architectures, Device device)
      : device_(device), compiler_(compiler_command(architectures, device)) {
    headers_ = unity_headers();
    if (device == Device::kCpu) {
      head_ = use_precompiled_head(headers_, &compiler_);
    } else {
      compiler_.insert(compiler_.end(), {"-w", "-Xcompiler=-fPIC"});
    }
  }

  // The path of the library; empty with `error` set.
  std::string build(const std::vector<LibraryProgram>& programs, std::string& error) const {
    FileSet files = unity_embedded(programs);
    files.merge(unity_libraries(programs));
    const std::string source = device_ == Device::kCpu ? "unity.cpp" : "unity.cu";
    std::string text = unity_source(programs);
    if (head_.empty()) {
      files.insert(headers_.begin(), headers_.end());
      text.insert(0, "#include \"head.h\"\n");
    }
    files[source] = std::move(text);
    const auto compile = [&](const std::string& folder) -> std::string {
      std::vector<std::string> link = {compiler_[0]};
      if (device_ == Device::kCpu) {
        for (const std::string& flag : user_flags()) link.push_back(flag);
      }
      link.insert(link.end(), {"-shared", "-o", "library.so", "unity.o"});
      std::vector<std::string> command = compiler_;
      if (!head_.empty()) command.insert(command.end(), {"-include", head_});
      command.insert(command.end(), {"-c", source, "-o", "unity.o"});
      ProcessResult result = run_process(command, folder);
      if (result.exit_status == 0 && files.contains("embedded.cpp")) {
        command = compiler_;
        command.insert(command.end(), {"-c", "embedded.cpp", "-o", "embedded.o"});
        result = run_process(command, folder);
        link.push_back("embedded.o");
      }
      for (const std::string& flag : library_flags(files, device_)) link.push_back(flag);
      if (result.exit_status == 0) result = run_process(link, folder);
      return result.exit_status == 0 ? "" : result.output;
    };
    return build_cached(cache_key(files, key_words()), files, "library.so", compile, error).value_or("");
  }

 private:
  // What decides the bytes of a library beside its files.
  std::vector<std::string> key_words() const {
    std::vector<std::string> words = compiler_;
    words.push_back(cache_key(headers_, {}));
    return words;
  }

  Device device_;
  std::vector<std::string> compiler_;
  FileSet headers_;
  std::string head_;  // path of the head.h that is precompiled; empty: the headers are a part of every library
};

}  // namespace

std::vector<BuiltProgram> build_libraries(const std::vector<LibraryProgram>& programs, const std::string& architectures,
                                          Device device) {
  std::vector<BuiltProgram> built(programs.size());
  if (programs.empty()) return built;
  const LibraryBuilder builder(architectures, device);
  const size_t share = (programs.size() + parallel_threads() - 1) / parallel_threads();
  const size_t step = std::min(share, kMostPrograms);
  for_each_parallel((programs.size() + step - 1) / step, [&](size_t chunk) {
    const size_t begin = chunk * step, end = std::min(begin + step, programs.size());
    std::string error;
    const std::string library = builder.build({programs.begin() + begin, programs.begin() + end}, error);
    for (size_t i = begin; i < end; ++i) {
      built[i] = {library, error};
      if (!library.empty() || end - begin == 1) continue;
      built[i].error.clear();
      built[i].library = builder.build({programs[i]}, built[i].error);
    }
  });
  return built;
}

}  // namespace sinter
