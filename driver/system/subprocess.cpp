// Programs are started through `env -C`, which changes the directory for the child alone: batches run in threads.
#include "driver/system/subprocess.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include "driver/system/files.h"
#include "driver/system/parallel.h"

namespace sinter {

ProcessResult run_process(const std::vector<std::string>& arguments, const std::string& directory) {
  ProcessResult result;
  const llvm::ErrorOr<std::string> env = llvm::sys::findProgramByName("env");
  llvm::SmallString<128> log;
  if (!env || llvm::sys::fs::createTemporaryFile("sinter", "log", log)) {
    return {-1, "cannot start " + arguments[0] + "\n"};
  }
  std::vector<llvm::StringRef> words = {*env, "-C", directory};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), log.str(), log.str()};
  std::string problem, error;
  result.exit_status = llvm::sys::ExecuteAndWait(*env, words, std::nullopt, redirects, 0, 0, &problem);
  result.output = read_file(log.str().str(), error).value_or("") + problem;
  llvm::sys::fs::remove(log);
  return result;
}

std::vector<ProcessResult> run_processes(const std::vector<std::vector<std::string>>& commands,
                                         const std::string& directory) {
  std::vector<ProcessResult> results(commands.size());
  for_each_parallel(commands.size(), [&](size_t i) { results[i] = run_process(commands[i], directory); });
  return results;
}

}  // namespace sinter
