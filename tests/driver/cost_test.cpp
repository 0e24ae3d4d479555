// The cost model: what is counted of a kernel, and what a GPU takes for it.
#include <gtest/gtest.h>

#include "driver/compile/compile.h"
#include "driver/compile/plan_report.h"
#include "passes/schedule/cost/estimate.h"
#include "tests/driver/h200.h"

namespace sinter {
namespace {

Artifact compiled(const std::string& text) {
  const Source source = {.name = "test.hlo", .text = text};
  Diagnostics diagnostics(source);
  std::optional<Artifact> artifact = compile({}, diagnostics);
  if (!artifact) throw std::runtime_error(diagnostics.render());
  return std::move(*artifact);
}

Work work_of(const std::string& text) {
  const Artifact artifact = compiled(text);
  EXPECT_EQ(artifact.program.kernels.size(), 1u);
  return artifact.program.kernels.at(0).work;
}

TEST(Gpus, AreReadAndChosenByArchitecture) {
  std::string error;
  for (const char* name : {"a100", "b200", "h100", "h200", "l4", "rtx4090"}) {
    const std::optional<Gpu> gpu = find_gpu(name, error);
    ASSERT_TRUE(gpu) << error;
    EXPECT_EQ(gpu->name, name);
  }
  EXPECT_EQ(default_gpu("80,90a").name, "a100");
  EXPECT_EQ(default_gpu("90a").name, "h200");
  EXPECT_EQ(default_gpu("100").name, "b200");
  EXPECT_EQ(default_gpu("75").name, "h200");
}

TEST(Gpus, SayWhatIsWrong) {
  std::string error;
  EXPECT_FALSE(find_gpu("h300", error));
  EXPECT_NE(error.find("a100, b200, h100, h200, l4, rtx4090"), std::string::npos) << error;
  EXPECT_FALSE(parse_gpu("{\"name\": \"x\"}", error));
  EXPECT_EQ(error, "'title' is missing or no text");
  EXPECT_FALSE(parse_gpu("[", error));
  EXPECT_FALSE(parse_gpu("3", error));
  EXPECT_EQ(error, "not a JSON object");
}

TEST(Work, CountsElements) {
  const Work work = work_of(R"(
HloModule m
ENTRY main {
  x = f32[1000] parameter(0)
  y = f32[1000] parameter(1)
  p = f32[1000] multiply(x, y)
  ROOT s = f32[1000] add(p, x)
}
)");
  EXPECT_EQ(work.flops, 2000);
  EXPECT_EQ(work.f32, 1000);  // one fmaf each
  EXPECT_FALSE(work.of_data);
}

TEST(Work, CountsEveryStepOfALoop) {
  const auto loop = [](const std::string& steps) {
    return work_of(R"(
HloModule m
body {
  p = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[64] get-tuple-element(p), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[64] multiply(x, x)
  ROOT r = (s32[], f32[64]) tuple(next, y)
}
condition {
  p = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant()" +
                   steps + R"()
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[64] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[64]) tuple(zero, x)
  w = (s32[], f32[64]) while(start), condition=condition, body=body
  ROOT y = f32[64] get-tuple-element(w), index=1
}
)");
  };
  const Work work = loop("1000"), twice = loop("2000");
  EXPECT_EQ(work.flops, 64 * 1000);
  EXPECT_EQ(twice.flops, 64 * 2000);
  EXPECT_GE(twice.chain - work.chain, 4 * 1000);
  EXPECT_EQ(twice.registers, work.registers);
}

TEST(Work, CountsRows) {
  const Work work = work_of(R"(
HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b)
}
ENTRY main {
  x = f32[128,1024] parameter(0)
  zero = f32[] constant(0)
  ROOT s = f32[128] reduce(x, zero), dimensions={1}, to_apply=add
}
)");
  EXPECT_EQ(work.flops, 128 * 1024);
}

TEST(Work, CountsProducts) {
  const Work work = work_of(R"(
HloModule m
ENTRY main {
  a = f32[256,512] parameter(0)
  b = f32[512,128] parameter(1)
  ROOT d = f32[256,128] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)");
  EXPECT_EQ(work.flops, 2.0 * 256 * 128 * 512);
}

TEST(Estimate, ACopyIsBoundByMemory) {
  const Work copy = {.integer = 1e8, .memory = 1.25e8, .chain = 510, .registers = 16};
  const Launch launch = {.blocks = 244141, .threads = 256, .bytes = 2'000'000'000};
  const Estimate estimated = estimate(copy, launch, h200());
  EXPECT_EQ(bound_name(estimated.bound), "memory");
  EXPECT_NEAR(estimated.us, 2e9 / 4800e3, 60);
  EXPECT_EQ(estimated.occupancy, 1);
}

TEST(Estimate, ALongChainIsBoundByLatency) {
  const Work chain = {.f32 = 1e6, .chain = 1e6};
  const Estimate estimated = estimate(chain, {.blocks = 1, .threads = 32}, h200());
  EXPECT_EQ(bound_name(estimated.bound), "latency");
  EXPECT_NEAR(estimated.us, 1e6 / 1980, 10);
}

TEST(Estimate, BlocksCountThemselvesOneAfterTheOther) {
  const Work work = {.f32 = 1e6, .chain = 500, .registers = 32};
  const Launch launch = {.blocks = 20000, .threads = 32, .bytes = 1 << 20, .counted = 20000};
  const Estimate estimated = estimate(work, launch, h200());
  EXPECT_EQ(bound_name(estimated.bound), "count");
  EXPECT_NEAR(estimated.us, h200().launch_us + 10, 0.01);
}

TEST(Estimate, ALittleIsBoundByItsLaunch) {
  const Gpu gpu = h200();
  const Estimate estimated = estimate({.f32 = 100, .chain = 500}, {.blocks = 1, .threads = 32, .bytes = 400}, gpu);
  EXPECT_EQ(bound_name(estimated.bound), "launch");
  EXPECT_LT(estimated.us, 2 * gpu.launch_us);
}

TEST(Estimate, MoreWorkIsNeverFaster) {
  const Work work = {
      .f32 = 1e9, .f64 = 1e6, .integer = 1e8, .special = 1e7, .memory = 1e8, .chain = 1e4, .registers = 64};
  const Launch launch = {.blocks = 4096, .threads = 256, .shared_bytes = 4096, .bytes = 100'000'000};
  const Gpu gpu = h200();
  const double us = estimate(work, launch, gpu).us;
  for (double Work::* field : {&Work::f32, &Work::f64, &Work::integer, &Work::special, &Work::memory, &Work::chain}) {
    Work more = work;
    more.*field *= 1e4;
    EXPECT_GT(estimate(more, launch, gpu).us, us);
  }
  Launch larger = launch;
  larger.bytes *= 100;
  EXPECT_GT(estimate(work, larger, gpu).us, us);
}

TEST(Estimate, SharedMemoryAndRegistersLimitOccupancy) {
  const Gpu gpu = h200();
  const Launch small = {.blocks = 10000, .threads = 256};
  EXPECT_EQ(estimate({.registers = 32}, small, gpu).occupancy, 1);
  EXPECT_EQ(estimate({.registers = 128}, small, gpu).occupancy, 0.25);
  const Launch shared = {.blocks = 10000, .threads = 256, .shared_bytes = 100'000};
  EXPECT_EQ(estimate({.registers = 32}, shared, gpu).occupancy, 0.25);
}

}  // namespace
}  // namespace sinter
