// Programs are started through `env -C`, which changes the directory for the child alone: batches run in threads.
#include "driver/system/subprocess.h"

#include <llvm/Support/Program.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/system/files.h"

namespace sinter {

ProcessResult run_process(const std::vector<std::string>& arguments, const std::string& directory) {
  const llvm::ErrorOr<std::string> env = llvm::sys::findProgramByName("env");
  // In memory: nothing is left behind, however this process ends. The child inherits the number, and opens it.
  const int file = memfd_create("sinter-log", 0);
  if (!env || file < 0) return {-1, "cannot start " + arguments[0] + "\n"};
  const std::string log = "/proc/self/fd/" + std::to_string(file);
  std::vector<llvm::StringRef> words = {*env, "-C", directory};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log), llvm::StringRef(log)};
  ProcessResult result;
  std::string problem, error;
  result.exit_status = llvm::sys::ExecuteAndWait(*env, words, std::nullopt, redirects, 0, 0, &problem);
  result.output = read_file(log, error).value_or("") + problem;
  close(file);
  return result;
}

}  // namespace sinter
