// The texts that are embedded in the binary: complete, equal to the files, and closed under inclusion.
#include "templates/templates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace sinter {
namespace {

constexpr std::array<std::string_view, 4> kHelpers = {"cpu/", "device/", "launcher/", "library/"};

std::string read(const std::string& path) {
  std::ifstream file(std::string(SINTER_SOURCE_DIR) + "/" + path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// Helpers as their files have them, whose namespace has no version.
std::string without_version(std::string_view text) {
  return std::regex_replace(std::string(text), std::regex("sinter_[0-9a-f]{8}\\b"), "sinter_helpers");
}

TEST(Templates, AreTheFiles) {
  const std::vector<std::string_view> names = template_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_GE(std::count_if(names.begin(), names.end(), [](auto name) { return name.starts_with("device/"); }), 20);
  for (const std::string_view name : names) {
    EXPECT_FALSE(template_text(name).empty()) << name;
    if (name.starts_with("device/")) {
      EXPECT_EQ(without_version(template_text(name)), read("templates/" + std::string(name))) << name;
    }
  }
  EXPECT_EQ(template_text("runner/tensor_file.h"), read("runtime/tensor_file.h"));
  EXPECT_EQ(template_text("runner/safetensors.h"), read("runtime/runner/safetensors.h"));
  EXPECT_TRUE(template_text("device/no_such.cuh").empty());
}

// A helper includes helpers that are there, and opens with a comment.
TEST(Templates, IncludeOneAnother) {
  for (const std::string_view name : template_names()) {
    if (!name.starts_with("device/")) continue;
    const std::string text(template_text(name));
    EXPECT_TRUE(text.starts_with("// ")) << name;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 120u) << name << ": " << line;
      if (!line.starts_with("#include \"")) continue;
      const std::string included = line.substr(10, line.rfind('"') - 10);
      EXPECT_FALSE(template_text(included).empty()) << name << " includes " << included;
    }
  }
}

// All that helpers declare is in an inline namespace that carries the hash of their text, the same in all of them: two
// models that different versions emitted share nothing, and may be linked into one binary.
TEST(Templates, HelpersAreInANamespaceOfTheirVersion) {
  std::set<std::string> versions;
  for (const std::string_view name : template_names()) {
    const bool helper =
        std::any_of(kHelpers.begin(), kHelpers.end(), [&](auto folder) { return name.starts_with(folder); });
    if (!helper) continue;
    const std::string text(template_text(name));
    std::smatch match;
    ASSERT_TRUE(std::regex_search(text, match, std::regex("\ninline namespace (sinter_[0-9a-f]{8}) \\{\n"))) << name;
    versions.insert(match[1]);
    EXPECT_NE(text.find("\n}  // namespace " + match[1].str() + "\n"), std::string::npos) << name;
  }
  EXPECT_EQ(versions.size(), 1u);
}

// The header for the CPU is one file, whatever it is made of here.
TEST(Templates, CpuHeaderStandsAlone) {
  const std::string_view text = template_text("cpu/sinter_cpu.h");
  EXPECT_EQ(text.find("#include \"cpu/"), std::string_view::npos);
  EXPECT_EQ(text.find("#pragma once"), text.rfind("#pragma once"));
  for (const char* part : {"class Scheduler", "class Context", "__syncthreads", "cudaMalloc", "__half2float"}) {
    EXPECT_NE(text.find(part), std::string_view::npos) << part;
  }
}

}  // namespace
}  // namespace sinter
