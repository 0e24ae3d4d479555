// The compiler is called directly: quicker than a CMake run. A build is made aside and renamed into the cache.
#include "driver/build/build_cache.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <sstream>
#include <system_error>

#include "driver/system/files.h"
#include "driver/system/left_over.h"
#include "ir/support/sha256.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

}  // namespace

// Ours alone: what lies in it is executed.
std::optional<std::string> cache_folder(std::string& error) {
  std::error_code status;
  const std::string home = environment("XDG_CACHE_HOME", "");
  // The XDG specification: a relative path is no path.
  const fs::path folder = !fs::path(home).is_absolute()
                              ? fs::temp_directory_path(status) / ("sinter-" + std::to_string(getuid()))
                              : fs::path(home) / "sinter";
  fs::create_directories(folder, status);
  if (!status) fs::permissions(folder, fs::perms::owner_all, status);
  if (!status && access(folder.c_str(), R_OK | W_OK | X_OK) != 0) status = {errno, std::generic_category()};
  if (status) {
    error =
        "cannot use the cache folder " + folder.string() + ": " + status.message() + "; XDG_CACHE_HOME names another";
    return std::nullopt;
  }
  return folder.string();
}

std::string folder_aside(const std::string& cache) {
  constexpr const char* kStem = "aside-";
  static std::once_flag once;
  std::call_once(once, [&] {
    std::error_code status;
    for (const fs::path& folder : left_over(cache, kStem)) fs::remove_all(folder, status);
  });
  static std::atomic<int> folders{0};  // a batch builds in several threads
  return (fs::path(cache) / (own_name(kStem) + "-" + std::to_string(++folders))).string();
}

std::vector<std::string> user_flags() {
  std::istringstream words(environment("CXXFLAGS", ""));
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<std::string> compiler_command(const std::string& architectures, Device device) {
  if (device == Device::kCpu) {
    // What the flags are for stands in templates/host/CMakeLists.txt.mustache.
    std::vector<std::string> command = {
        environment("CXX", "c++"), "-std=c++20", "-O1", "-DSINTER_CPU", "-ffp-contract=off",
        "-frounding-math",         "-fwrapv",    "-I.", "-Iinclude"};
    for (const std::string& flag : user_flags()) command.push_back(flag);
    return command;
  }
  std::vector<std::string> command = {
      environment("CUDACXX", "nvcc"), "-std=c++20", "-O3", "-fmad=false", "-I.", "-Iinclude"};
  for (size_t begin = 0; begin < architectures.size();) {
    const size_t end = std::min(architectures.find(',', begin), architectures.size());
    const std::string architecture = architectures.substr(begin, end - begin);
    command.push_back("-gencode=arch=compute_" + architecture + ",code=sm_" + architecture);
    begin = end + 1;
  }
  return command;
}

std::vector<std::string> library_flags(const FileSet& files, Device device) {
  if (!files.contains("library/library.cuh")) return {};
  if (device == Device::kCpu) return {"-llapack", "-lblas"};
  return {"-lcusolver", "-lcublas", "-lcusparse"};
}

std::string cache_key(const FileSet& files, const std::vector<std::string>& compiler) {
  std::string text;
  for (const std::string& word : compiler) text += word + '\n';
  for (const auto& [path, content] : files) text += path + '\n' + sha256_hex(content) + '\n';
  return sha256_hex(text).substr(0, 32);
}

std::optional<std::string> build_cached(const std::string& key, const FileSet& files, const std::string& product,
                                        const std::function<std::string(const std::string& folder)>& build,
                                        std::string& error) {
  const std::optional<std::string> cache = cache_folder(error);
  if (!cache) {
    error += "\n";
    return std::nullopt;
  }
  const fs::path built = fs::path(*cache) / key;
  if (fs::exists(built / product)) return (built / product).string();

  const fs::path aside = folder_aside(*cache);
  std::error_code status;
  if (!write_folder(aside.string(), files, true, error)) return std::nullopt;
  error = build(aside.string());
  if (error.empty()) {
    fs::rename(aside, built, status);
    if (status && fs::exists(built / product)) status.clear();  // another process was quicker
    if (!status) {
      fs::remove_all(aside, status);
      return (built / product).string();
    }
    error = status.message();
  }
  fs::remove_all(aside, status);
  return std::nullopt;
}

}  // namespace sinter
