// Names that emitted kernels may not give to buffers and variables.
#include "passes/schedule/value_names.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace sinter {
namespace {

// A buffer called like a device function would hide it.
TEST(ValueNames, DeviceFunctionsAreKnown) {
  const std::regex declaration(R"(^[^ /#=;(]*(?:[^=;(]*)?__device__[^=;(]*?\b([a-z][a-z0-9_]*)\()");
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(SINTER_SOURCE_DIR "/templates/device")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (std::regex_search(line, match, declaration)) found.insert(match[1]);
    }
  }
  EXPECT_GT(found.size(), 20u);
  found.erase("operator");
  for (const std::string& name : found) EXPECT_TRUE(is_function(name)) << name;
}

}  // namespace
}  // namespace sinter
