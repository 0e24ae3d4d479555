// Every reason code that a plan gives is explained in docs/reasons.md.
#include <gtest/gtest.h>

#include <filesystem>

#include "driver/files.h"
#include "driver/plan_report.h"

namespace sinter {
namespace {

TEST(Reasons, AreDocumented) {
  const std::filesystem::path root = SINTER_SOURCE_DIR;
  std::string error;
  const std::optional<std::string> page = read_file((root / "docs/reasons.md").string(), error);
  ASSERT_TRUE(page) << error;
  int plans = 0;
  for (const auto& folder : std::filesystem::directory_iterator(root / "samples")) {
    const std::filesystem::path file = folder.path() / (folder.path().filename().string() + ".hlo");
    if (!std::filesystem::exists(file)) continue;
    const Source source = {.name = file.filename().string(), .text = read_file(file.string(), error).value_or("")};
    Diagnostics diagnostics(source);
    const std::optional<Artifact> artifact = compile({}, diagnostics);
    ASSERT_TRUE(artifact) << diagnostics.render();
    ++plans;
    for (const PlanReport::Boundary& boundary : report_plan(*artifact).boundaries) {
      EXPECT_NE(page->find("\n| " + boundary.reason + " |"), std::string::npos)
          << source.name << ": " << boundary.value << ": '" << boundary.reason << "'";
    }
  }
  EXPECT_GE(plans, 15);
}

}  // namespace
}  // namespace sinter
