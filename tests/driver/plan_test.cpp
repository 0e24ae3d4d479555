// A plan file that says what would have been chosen changes nothing, and one with a mistake is refused where it is
// made.
#include <gtest/gtest.h>

#include <filesystem>

#include "driver/compile/compile.h"
#include "driver/system/files.h"

namespace sinter {
namespace {

std::vector<std::filesystem::path> samples() {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(SINTER_SOURCE_DIR) + "/samples")) {
    const std::filesystem::path file = folder.path() / (folder.path().filename().string() + ".hlo");
    if (std::filesystem::exists(file)) files.push_back(file);
  }
  return files;
}

Source read_source(const std::filesystem::path& file) {
  std::string error;
  return {.name = file.filename().string(), .text = read_file(file.string(), error).value_or("")};
}

TEST(Plan, OfASampleChangesNothing) {
  int count = 0;
  for (const std::filesystem::path& file : samples()) {
    const Source source = read_source(file);
    Diagnostics diagnostics(source);
    std::optional<Artifact> chosen = compile({}, diagnostics);
    ASSERT_TRUE(chosen) << diagnostics.render();
    CompileOptions options;
    options.schedule.plan = std::make_shared<const Source>(Source{"plan.txt", chosen->files.at("plan.txt")});
    std::optional<Artifact> planned = compile(options, diagnostics);
    ASSERT_TRUE(planned) << source.name << "\n" << diagnostics.render();
    // The manifest says that there was a plan.
    chosen->files.erase("manifest.json");
    planned->files.erase("manifest.json");
    ASSERT_EQ(chosen->files.size(), planned->files.size()) << source.name;
    for (const auto& [path, text] : chosen->files)
      EXPECT_EQ(planned->files.at(path), text) << source.name << " " << path;
    ++count;
  }
  EXPECT_GE(count, 15);
}

}  // namespace
}  // namespace sinter
