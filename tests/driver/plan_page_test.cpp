// The page of `sinter compile --report`: it needs nothing else, has each launch in its place and each kernel with its
// code and HLO, and shows as text what others wrote. Its only script is its own.
#include "driver/page/plan_page.h"

#include <gtest/gtest.h>

#include <array>

#include "driver/system/files.h"
#include "templates/templates.h"
#include "tests/page_checks.h"

namespace sinter {
namespace {

std::string page_of(const std::string& text, const std::vector<Source>& sources = {}) {
  const Source source = {.name = "program.hlo", .text = text};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile({}, diagnostics);
  EXPECT_TRUE(artifact) << diagnostics.render();
  return artifact ? plan_html(*artifact, report_plan(*artifact), sources) : "";
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Its script, which a browser runs by its hash, once; without it the page needs nothing.
std::string without_script(const std::string& page) {
  const std::string script = "<script>" + std::string(template_text("review/plan.js")) + "</script>";
  EXPECT_EQ(count(page, script), 1u);
  EXPECT_EQ(count(page, "<script"), 1u);
  const size_t at = page.find(script);
  return at == std::string::npos ? page : page.substr(0, at) + page.substr(at + script.size());
}

TEST(PlanPage, OfSamples) {
  for (const std::string name : {"softmax", "cartpole_soa", "kmeans", "gpt2_block"}) {
    std::string error;
    const std::string file = std::string(SINTER_SOURCE_DIR) + "/samples/" + name + "/" + name + ".hlo";
    const Source source = {.name = file, .text = read_file(file, error).value_or("")};
    Diagnostics diagnostics(source);
    const std::optional<Artifact> artifact = compile({}, diagnostics);
    ASSERT_TRUE(artifact) << error << diagnostics.render();
    const PlanReport report = report_plan(*artifact);
    const std::string page = plan_html(*artifact, report);
    EXPECT_EQ(unbalanced(page), "") << name;
    EXPECT_EQ(needed_besides(without_script(page)), "") << name;
    EXPECT_EQ(page, plan_html(*artifact, report)) << name;
    size_t launches = 0;
    for_each_step(artifact->program.plan.steps,
                  [&](const HostStep& step) { launches += step.kind == HostStep::Kind::kLaunch; });
    EXPECT_EQ(count(page, "<a class=\"box c"), launches) << name;
    EXPECT_EQ(count(page, "<details class=\"kernel\""), report.kernels.size()) << name;
    EXPECT_EQ(count(page, "<g class=\"k c"), report.kernels.size()) << name;
    EXPECT_EQ(count(page, "<h3>HLO and Python</h3>"), report.kernels.size()) << name;
  }
}

TEST(PlanPage, ShowsWhatAKernelIs) {
  const std::string page = page_of(R"(HloModule m
ENTRY e {
  x = f32[64] parameter(0)
  ROOT y = f32[64] tanh(x), metadata={op_name="tanh" source_file="/somewhere/model.py" source_line=12}
}
)");
  EXPECT_TRUE(has(page, "<li>y = f32[64] tanh(x) <span class=\"python\">model.py:12</span></li>")) << page;
  EXPECT_TRUE(has(page, "tanhf(x["));
  EXPECT_TRUE(has(page, "reads x f32[64]"));
  EXPECT_TRUE(has(page, ": output</li>"));
  EXPECT_TRUE(has(page, "<p>Launches: 1; "));
  EXPECT_FALSE(has(page, "/somewhere"));
}

TEST(PlanPage, HasLinesOfTheModel) {
  const std::string text = R"(HloModule m
ENTRY e {
  x = f32[64] parameter(0)
  ROOT y = f32[64] tanh(x), metadata={op_name="tanh" source_file="/somewhere/model.py" source_line=2}
}
)";
  const Source model = {.name = "models/model.py", .text = "def f(x):\n  return jnp.tanh(x) < 1\n"};
  const std::string line = "<li><span class=\"python\">model.py:2</span> return jnp.tanh(x) &lt; 1</li>";
  EXPECT_TRUE(has(page_of(text, {model}), line));
  EXPECT_FALSE(has(page_of(text), "Lines of the model"));
  // Which of two is meant is not known.
  EXPECT_FALSE(has(page_of(text, {model, {.name = "other/model.py", .text = "1\n2\n"}}), "Lines of the model"));
  EXPECT_FALSE(has(page_of(text, {{.name = "model.py", .text = "one line"}}), "Lines of the model"));
}

const std::string kHostile = "\"'></script></title><script>alert(1)</script>{{name}}{{{kernels}}}\xe2\x80\xae\x01&";

void expect_text(const std::string& page) {
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(needed_besides(without_script(page)), "");
  EXPECT_EQ(count(page, "</script"), 1u);
  EXPECT_FALSE(has(page, "<img"));
  EXPECT_FALSE(has(page, "alert(1)</script>"));
  EXPECT_FALSE(has(page, "\xe2\x80\xae"));
}

TEST(PlanPage, WhatOthersWroteIsText) {
  const std::string page = page_of(R"(HloModule m
ENTRY e {
  x = f32[64] parameter(0)
  ROOT y = f32[64] tanh(x), metadata={op_name="</script><img src=x onerror=alert(1)>{{name}}" source_file="<b>&'.py" source_line=1}
}
)");
  expect_text(page);
  EXPECT_FALSE(has(page, "<b>"));
  EXPECT_TRUE(has(page, "&lt;b&gt;&amp;&apos;.py:1"));
}

// Whatever part of the page shows them.
TEST(PlanPage, HostileNamesAreText) {
  const Source source = {.name = "program.hlo", .text = R"(HloModule m
ENTRY e {
  x = f32[64,64] parameter(0)
  y = f32[64,64] tanh(x), metadata={source_file="model.py" source_line=1}
  z = f32[64,64] dot(y, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = f32[64,64] dot(z, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)"};
  Diagnostics diagnostics(source);
  std::optional<Artifact> artifact = compile({}, diagnostics);
  ASSERT_TRUE(artifact) << diagnostics.render();
  ASSERT_GT(artifact->program.plan.arena_bytes, 0);
  PlanReport report = report_plan(*artifact);
  report.program = report.gpu = report.elided_note = kHostile;
  for (PlanReport::KernelReport& kernel : report.kernels) {
    kernel.name += kHostile;
    kernel.slow = PlanReport::Slow{.least_us = 1, .value = kHostile, .reason = ""};
  }
  for (PlanReport::Boundary& boundary : report.boundaries) {
    boundary.value = boundary.blocked_by = boundary.source = kHostile;
  }
  for (Buffer& buffer : artifact->program.plan.buffers) buffer.name += kHostile;
  for (HostStep& step : artifact->program.plan.steps) step.comment = kHostile;
  for (auto& [path, text] : artifact->files) {
    if (path.ends_with(".cu")) text = kHostile;
  }
  expect_text(plan_html(*artifact, report, {{.name = "model.py", .text = kHostile}}));
}

// Steps of which no two stretches are alike: none become a loop.
TEST(PlanPage, OfAThousandInstructions) {
  constexpr int kRounds = 250;
  std::string text = R"(HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY e {
  zero = f32[] constant(0)
  x0 = f32[64,32] parameter(0)
)";
  uint32_t random = 1;
  for (int i = 0; i < kRounds; ++i) {
    random = random * 1103515245 + 12345;
    const std::string operation = std::array{"sine", "tanh", "exponential"}[(random >> 16) % 3];
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "  s" + n + " = f32[64] reduce(x" + n + ", zero), dimensions={1}, to_apply=add\n";
    text += "  b" + n + " = f32[64,32] broadcast(s" + n + "), dimensions={0}\n";
    text += "  d" + n + " = f32[64,32] subtract(x" + n + ", b" + n + ")\n";
    text += "  x" + next + " = f32[64,32] " + operation + "(d" + n + ")\n";
  }
  text += "  ROOT r = f32[64,32] negate(x" + std::to_string(kRounds) + ")\n}\n";
  const std::string page = page_of(text);
  EXPECT_GT(count(page, "<li>"), 4u * kRounds);
  EXPECT_GT(count(page, "<circle"), 4u * kRounds);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_LT(page.size(), 4u * kRounds * 1000);  // so that 10,000 are less than 10 MB
}

}  // namespace
}  // namespace sinter
