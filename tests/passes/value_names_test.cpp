// Names that emitted kernels may not give to buffers and variables.
#include "passes/names/value_names.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "ir/module/taken_names.h"

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

// A type of theirs, too.
TEST(ValueNames, DeviceTypesAreKnown) {
  const std::regex declaration(R"(^(?:struct|class|enum class|using) ([A-Z]\w*))");
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(SINTER_SOURCE_DIR "/templates/device")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (std::regex_search(line, match, declaration)) found.insert(match[1]);
    }
  }
  EXPECT_GT(found.size(), 20u);
  for (const std::string& name : found) EXPECT_TRUE(is_kernel_word(name)) << name;
}

TEST(ValueNames, WordsOfTheKernelsTextStepAside) {
  EXPECT_EQ(identifier("stream"), "stream_");
  EXPECT_EQ(identifier("kThreads"), "value_kThreads");
  EXPECT_EQ(identifier("cudaError_t"), "value_cudaError_t");
  EXPECT_EQ(identifier("M_PI"), "value_M_PI");
  EXPECT_EQ(identifier("EIO"), "EIO_");
  for (const char* name : {"k", "keys", "cuda", "W_1", "SIGMA", "x", "time"}) EXPECT_EQ(identifier(name), name);
}

}  // namespace
}  // namespace sinter
