// The folder as it is emitted, a source file a process of the compiler.
#include "driver/build/build_emitted.h"

#include "driver/build/build_cache.h"
#include "driver/system/subprocess.h"

namespace sinter {
namespace {

// Compiles every source and links them; what went wrong, or empty.
std::string compile_and_link(const std::string& folder, const FileSet& files, const std::vector<std::string>& compiler,
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
  for (const std::string& flag : library_flags(files, device)) link.push_back(flag);
  if (device == Device::kCpu) {
    link.push_back("-pthread");
    for (const std::string& flag : user_flags()) link.push_back(flag);
  }
  for (const ProcessResult& result : run_processes(commands, folder)) {
    if (result.exit_status != 0) return result.output;
  }
  const ProcessResult linked = run_process(link, folder);
  return linked.exit_status == 0 ? "" : linked.output;
}

}  // namespace

std::optional<std::string> build_emitted(const FileSet& files, const std::string& name,
                                         const std::string& architectures, Device device, std::string& error) {
  const std::vector<std::string> compiler = compiler_command(architectures, device);
  const std::string executable = name + "_cli";
  const auto build = [&](const std::string& folder) {
    return compile_and_link(folder, files, compiler, executable, device);
  };
  return build_cached(cache_key(files, compiler), files, executable, build, error);
}

}  // namespace sinter
