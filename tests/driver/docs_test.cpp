// What the documentation shows is so: every reason code that a plan gives is explained, and a kernel is as it is
// emitted.
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

TEST(Readme, ShowsTheKernelOfTheSample) {
  const std::filesystem::path root = SINTER_SOURCE_DIR;
  std::string error;
  const std::string page = read_file((root / "README.md").string(), error).value_or("");
  const std::string kernel = read_file((root / "samples/softmax/out/kernels/softmax.cu").string(), error).value_or("");
  ASSERT_FALSE(kernel.empty()) << error;
  EXPECT_NE(page.find(kernel), std::string::npos) << "README.md shows another kernel than samples/softmax";
}

}  // namespace
}  // namespace sinter
