// Everything that a compile with made-up values leaves says that they are made up.
#include "driver/tensors/elided.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "driver/compile/plan_report.h"

namespace sinter {
namespace {

constexpr const char* kText = R"(
HloModule m
ENTRY main {
  x = f32[64] parameter(0)
  w = f32[64] constant({...})
  ROOT y = f32[64] multiply(x, w)
}
)";

std::optional<Artifact> compiled(Elided elided, Diagnostics& diagnostics) {
  CompileOptions options;
  options.elided = elided;
  return compile(options, diagnostics);
}

TEST(Elided, IsRefusedUnlessAskedFor) {
  const Source source = {.name = "test.hlo", .text = kText};
  Diagnostics diagnostics(source);
  EXPECT_FALSE(compiled(Elided::kRefuse, diagnostics));
  EXPECT_FALSE(diagnostics.ok());
}

TEST(Elided, IsNamedInWhatIsEmitted) {
  for (const Elided elided : {Elided::kRandom, Elided::kZeros}) {
    const Source source = {.name = "test.hlo", .text = kText};
    Diagnostics diagnostics(source);
    const std::optional<Artifact> artifact = compiled(elided, diagnostics);
    ASSERT_TRUE(artifact) << diagnostics.render();
    EXPECT_FALSE(artifact->elided_note.empty());
    const std::string option = "--elided=" + elided_name(elided);
    EXPECT_NE(artifact->elided_note.find(option), std::string::npos) << artifact->elided_note;
    std::vector<std::string> paths = {"fusion.json", "include/m/m.h", "kernels.h",    "kernels/m.cu",
                                      "m.cu",        "main.cpp",      "manifest.json"};
    if (elided == Elided::kRandom) paths.push_back("constants.cpp");  // zeros are a number in the kernel
    for (const std::string& path : paths) {
      ASSERT_TRUE(artifact->files.contains(path)) << path;
      EXPECT_NE(artifact->files.at(path).find(option), std::string::npos) << path;
    }
    EXPECT_NE(plan_report_json(report_plan(*artifact)).find(option), std::string::npos);
  }
}

}  // namespace
}  // namespace sinter
