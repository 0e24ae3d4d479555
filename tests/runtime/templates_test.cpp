// The texts that are embedded in the binary: complete, equal to the files, and closed under inclusion.
#include "templates/templates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace sinter {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(std::string(SINTER_SOURCE_DIR) + "/" + path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

TEST(Templates, AreTheFiles) {
  const std::vector<std::string_view> names = template_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_GE(std::count_if(names.begin(), names.end(), [](auto name) { return name.starts_with("device/"); }), 20);
  for (const std::string_view name : names) {
    EXPECT_FALSE(template_text(name).empty()) << name;
    if (name.starts_with("device/")) {
      EXPECT_EQ(template_text(name), read("templates/" + std::string(name))) << name;
    }
  }
  EXPECT_EQ(template_text("runner/tensor_file.h"), read("runtime/tensor_file.h"));
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
