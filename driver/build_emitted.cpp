// The compiler is called directly, a source file a process: quicker than a CMake run, with the flags of the emitted
// CMakeLists.txt but for a lower optimisation level on the CPU. A build is made aside and renamed into the cache.
#include "driver/build_emitted.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "driver/files.h"
#include "driver/subprocess.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

// Ours alone: what lies in it is executed.
std::optional<fs::path> cache_folder(std::string& error) {
  std::error_code status;
  const std::string home = environment("XDG_CACHE_HOME", "");
  const fs::path folder = home.empty() ? fs::temp_directory_path(status) / ("sinter-" + std::to_string(getuid()))
                                       : fs::path(home) / "sinter";
  fs::create_directories(folder, status);
  if (!status) fs::permissions(folder, fs::perms::owner_all, status);
  if (status) {
    error = "cannot use the cache folder " + folder.string() + ": " + status.message() + "\n";
    return std::nullopt;
  }
  return folder;
}

// The user's CXXFLAGS, for compiling and linking on the CPU (sanitizers, say).
std::vector<std::string> user_flags() {
  std::istringstream words(environment("CXXFLAGS", ""));
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<std::string> compiler_command(const std::string& architectures, Device device) {
  if (device == Device::kCpu) {
    std::vector<std::string> command = {environment("CXX", "c++"), "-std=c++20", "-O1", "-DSINTER_CPU",
                                        "-ffp-contract=off", "-fwrapv", "-I."};
    for (const std::string& flag : user_flags()) command.push_back(flag);
    return command;
  }
  std::vector<std::string> command = {environment("CUDACXX", "nvcc"), "-std=c++20", "-O3", "-fmad=false", "-I."};
  for (size_t begin = 0; begin < architectures.size();) {
    const size_t end = std::min(architectures.find(',', begin), architectures.size());
    const std::string architecture = architectures.substr(begin, end - begin);
    command.push_back("-gencode=arch=compute_" + architecture + ",code=sm_" + architecture);
    begin = end + 1;
  }
  return command;
}

std::string cache_key(const FileSet& files, const std::vector<std::string>& compiler) {
  std::string text;
  for (const std::string& word : compiler) text += word + '\n';
  for (const auto& [path, content] : files) text += path + '\n' + sha256_hex(content) + '\n';
  return sha256_hex(text).substr(0, 32);
}

// Compiles every source and links them; what went wrong, or empty.
std::string compile_and_link(const fs::path& folder, const FileSet& files, const std::vector<std::string>& compiler,
                             const std::string& executable, Device device) {
  std::vector<std::vector<std::string>> commands;
  std::vector<std::string> link = {compiler[0], "-o", executable};
  for (const auto& [path, content] : files) {
    if (!path.ends_with(".cu") && !path.ends_with(".cpp")) continue;
    std::string object = path + ".o";
    for (char& c : object) c = c == '/' ? '_' : c;
    std::vector<std::string> command = compiler;
    if (device == Device::kCpu) command.insert(command.end(), {"-x", "c++"});
    command.insert(command.end(), {"-c", path, "-o", object});
    commands.push_back(command);
    link.push_back(object);
  }
  if (device == Device::kCpu) {
    link.push_back("-pthread");
    for (const std::string& flag : user_flags()) link.push_back(flag);
  }
  for (const ProcessResult& result : run_processes(commands, folder.string())) {
    if (result.exit_status != 0) return result.output;
  }
  const ProcessResult linked = run_process(link, folder.string());
  return linked.exit_status == 0 ? "" : linked.output;
}

}  // namespace

std::optional<std::string> build_emitted(const FileSet& files, const std::string& name,
                                         const std::string& architectures, Device device, std::string& error) {
  const std::optional<fs::path> cache = cache_folder(error);
  if (!cache) return std::nullopt;
  const std::vector<std::string> compiler = compiler_command(architectures, device);
  const fs::path built = *cache / cache_key(files, compiler);
  const std::string executable = name + "_cli";
  if (fs::exists(built / executable)) return (built / executable).string();

  static std::atomic<int> builds{0};  // a batch builds in several threads
  const fs::path aside = built.string() + "-" + std::to_string(getpid()) + "-" + std::to_string(++builds);
  std::error_code status;
  fs::remove_all(aside, status);
  if (!write_folder(aside.string(), files, true, error)) return std::nullopt;
  error = compile_and_link(aside, files, compiler, executable, device);
  if (error.empty()) {
    fs::rename(aside, built, status);
    if (status && fs::exists(built / executable)) status.clear();  // another process was quicker
    if (!status) {
      fs::remove_all(aside, status);
      return (built / executable).string();
    }
    error = status.message();
  }
  fs::remove_all(aside, status);
  return std::nullopt;
}

}  // namespace sinter
