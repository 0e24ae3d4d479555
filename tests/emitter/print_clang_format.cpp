#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/emitter/clang_format.h"

namespace sinter {

std::string clang_formatted(const std::string& text) {
  if (std::system("clang-format-19 --version > /dev/null 2>&1") != 0) return text;
  const std::string path = ::testing::TempDir() + "sinter_format_" + std::to_string(getpid()) + ".cu";
  std::ofstream(path) << text;
  const std::string command =
      "clang-format-19 --style=\"{BasedOnStyle: Google, ColumnLimit: 0, IncludeBlocks: Preserve, "
      "AttributeMacros: ['__launch_bounds__']}\" " +
      path;
  FILE* pipe = popen(command.c_str(), "r");
  std::string result;
  char buffer[4096];
  size_t count = 0;
  while ((count = fread(buffer, 1, sizeof buffer, pipe)) > 0) result.append(buffer, count);
  pclose(pipe);
  std::remove(path.c_str());
  return result;
}

}  // namespace sinter
