// Names that emitted kernels may not give to buffers and variables.
#include "passes/names/value_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "frontend/hlo/parse_hlo.h"
#include "ir/module/taken_names.h"
#include "ir/support/diagnostics.h"

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

// meanings.hlo says behind each value what it is called, and has every name of the table.
TEST(ValueNames, SayWhatValuesAre) {
  std::ifstream file(SINTER_SOURCE_DIR "/tests/passes/meanings.hlo");
  std::stringstream text;
  text << file.rdbuf();
  const Source source = {"meanings.hlo", text.str()};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  ASSERT_TRUE(module) << diagnostics.render();
  std::map<std::string, std::string> expected;
  const std::regex with_name(R"(^  (?:ROOT )?(\w+) = .*  // (\w+)$)");
  std::set<std::string> met;
  for (std::string line; std::getline(text, line);) {
    std::smatch match;
    if (std::regex_search(line, match, with_name)) expected[match[1]] = match[2];
  }
  for (const Instruction& instruction : module->entry()->instructions()) {
    const auto found = expected.find(instruction.name);
    if (found == expected.end()) continue;
    EXPECT_EQ(value_name(instruction), found->second) << instruction.name;
    met.insert(found->second);
  }
  EXPECT_GT(met.size(), 100u);
  const std::vector<std::string> names = {
#define MEANING(name, pattern) name,
#define NOUN(name, pattern) name,
#include "passes/names/meanings.def"
#undef MEANING
#undef NOUN
  };
  for (const std::string& name : names) {
    const std::regex filled(std::regex_replace(name, std::regex(R"(\{[a-z]\.?\})"), "\\w+"));
    EXPECT_TRUE(std::any_of(met.begin(), met.end(), [&](const auto& one) { return std::regex_match(one, filled); }))
        << name << " stands nowhere in meanings.hlo";
  }
}

}  // namespace
}  // namespace sinter
