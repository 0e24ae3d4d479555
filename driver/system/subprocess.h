// Running another program and keeping what it says.
#pragma once

#include <string>
#include <vector>

namespace sinter {

struct ProcessResult {
  int exit_status = 0;  // negative: it could not be started, or was killed
  std::string output;   // standard output and standard error together
};

// `arguments[0]` is the program, found on PATH unless it has a slash. `directory` is where it runs.
ProcessResult run_process(const std::vector<std::string>& arguments, const std::string& directory);

}  // namespace sinter
