// Counting launches, bytes and loops of hand-made plans.
#include "driver/compile/plan_report.h"

#include <gtest/gtest.h>

namespace sinter {
namespace {

using Kind = HostStep::Kind;

// A program of one kernel that reads buffer 0 (f32[100]) and writes buffer 1 (f32[10]).
Artifact one_kernel() {
  Artifact artifact;
  artifact.module = std::make_unique<Module>();
  Program& program = artifact.program;
  program.name = "program";
  program.plan.buffers.resize(2);
  program.plan.buffers[0].shape = Shape::array(DType::kF32, {100});
  program.plan.buffers[1].shape = Shape::array(DType::kF32, {10});
  Kernel& kernel = program.kernels.emplace_back();
  kernel.name = "k";
  kernel.parameters = {{.variable = nullptr, .output = false}, {.variable = nullptr, .output = true}};
  TreeNode node;
  node.kind = TreeNode::Kind::kKernel;
  node.name = "k";
  TreeNode stage;
  stage.schedule = "map";
  node.bodies = {{stage}};
  artifact.schedule.tree.name = "program";
  artifact.schedule.tree.items = {node};
  return artifact;
}

HostStep launch() { return {.kind = Kind::kLaunch, .kernel = 0, .buffers = {0, 1}}; }
HostStep loop(int64_t trip, std::vector<HostStep> body) {
  return {.kind = Kind::kLoop, .trip = trip, .body = std::move(body)};
}

TEST(PlanReport, OneLaunch) {
  Artifact artifact = one_kernel();
  artifact.program.plan.steps = {launch()};
  const PlanReport report = report_plan(artifact);
  EXPECT_EQ(report.launches, 1);
  EXPECT_EQ(report.launches_outside_loops, 1);
  EXPECT_EQ(report.bytes_read, 400);
  EXPECT_EQ(report.bytes_written, 40);
  ASSERT_EQ(report.kernels.size(), 1u);
  EXPECT_EQ(report.kernels[0].count, 1);
  EXPECT_EQ(report.kernels[0].schedules, std::vector<std::string>{"map"});
}

TEST(PlanReport, NestedLoopsMultiply) {
  Artifact artifact = one_kernel();
  TreeNode inner, outer;
  inner.kind = outer.kind = TreeNode::Kind::kLoop;
  inner.scope = outer.scope = Scope::kHost;
  inner.name = "inner";
  inner.trip = 5;
  inner.bodies = {artifact.schedule.tree.items};
  outer.name = "outer";
  outer.trip = 3;
  outer.bodies = {{inner}};
  artifact.schedule.tree.items = {outer};
  const HostStep copy = {.kind = Kind::kCopy, .buffers = {0, 0}};
  artifact.program.plan.steps = {loop(3, {launch(), loop(5, {launch(), launch()})}), copy};
  const PlanReport report = report_plan(artifact);
  EXPECT_EQ(report.launches, 3 * (1 + 5 * 2) + 1);
  EXPECT_EQ(report.launches_outside_loops, 1);
  EXPECT_EQ(report.kernels[0].count, 33);
  EXPECT_EQ(report.bytes_read, 33 * 400 + 400);
  ASSERT_EQ(report.loops.size(), 2u);
  EXPECT_EQ(report.loops[0].name, "outer");
  EXPECT_EQ(report.loops[0].launches_per_iteration, 11);
  EXPECT_EQ(report.loops[1].launches_per_iteration, 2);
}

TEST(PlanReport, DataDependentLoopsAreUnknown) {
  Artifact artifact = one_kernel();
  HostStep step = {.kind = Kind::kWhile, .buffers = {0}, .condition = {launch()}, .body = {launch()}};
  artifact.program.plan.steps = {launch(), step};
  const PlanReport report = report_plan(artifact);
  EXPECT_EQ(report.launches, std::nullopt);
  EXPECT_EQ(report.bytes_read, std::nullopt);
  EXPECT_EQ(report.launches_outside_loops, 1);
  const std::string json = plan_report_json(report);
  EXPECT_NE(json.find("\"launches\": null"), std::string::npos) << json;
}

TEST(PlanReport, OneBufferTwiceInALaunchCountsOnce) {
  Artifact artifact = one_kernel();
  artifact.program.kernels[0].parameters.insert(artifact.program.kernels[0].parameters.begin(), Parameter{});
  artifact.program.plan.steps = {{.kind = Kind::kLaunch, .kernel = 0, .buffers = {0, 0, 1}}};
  EXPECT_EQ(report_plan(artifact).bytes_read, 400);
}

TEST(PlanReport, DeepNestingIsNoRecursion) {
  Artifact artifact = one_kernel();
  HostStep step = launch();
  for (int i = 0; i < 2000; ++i) step = loop(1, {step});
  artifact.program.plan.steps = {step};
  EXPECT_EQ(report_plan(artifact).launches, 1);
}

}  // namespace
}  // namespace sinter
