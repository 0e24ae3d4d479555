// The text of launchers: steps, loops, buffers, donation; and what the emitter refuses as a bug of lowering.
#include <gtest/gtest.h>

#include "emitter/host/emit_host.h"
#include "ir/support/diagnostics.h"
#include "tests/emitter/emit_fixture.h"

namespace sinter {
namespace {

using testing::add_kernel;
using testing::add_program;
using testing::buffer;

std::string steps_of(const Program& program) { return emit_run_steps(name_host(program)); }

TEST(EmitLauncher, OneLaunch) {
  EXPECT_TRUE(can_capture(name_host(add_program())));
  EXPECT_EQ(steps_of(add_program()), R"(
  // add.3 (add.py:7)
  if (failed({"add", kernels::add::enqueue(in->x, in->z, out->sum, stream)})) {
    return kAddTwoCudaError;
  }
)");
}

// Two arena slots that change places every step; the counter is not passed.
Program loop_program() {
  Program program = add_program();
  const Shape shape = program.inputs[0].shape;
  program.plan.buffers.push_back(buffer(Buffer::Kind::kArena, "slot_0", shape, 0));
  program.plan.buffers.push_back(buffer(Buffer::Kind::kArena, "slot_1", shape, 512));
  program.plan.arena_bytes = program.plan.live_bytes = 912;
  HostStep loop{.kind = HostStep::Kind::kLoop, .trip = 10, .counter = "t", .comment = "while.4: the recurrence"};
  loop.body = {{.kind = HostStep::Kind::kLaunch, .kernel = 0, .buffers = {3, 1, 4}, .comment = "add.5"},
               {.kind = HostStep::Kind::kSwap, .buffers = {3, 4}}};
  program.plan.steps = {{.kind = HostStep::Kind::kCopy, .buffers = {0, 3}, .comment = "copy.1"},
                        loop,
                        {.kind = HostStep::Kind::kLaunch, .kernel = 0, .buffers = {3, 1, 2}, .comment = "add.6"}};
  return program;
}

TEST(EmitLauncher, LoopWithSwap) {
  EXPECT_EQ(steps_of(loop_program()), R"(
  float* slot_0 = at<float>(instance->workspace, 0);    // f32[100]
  float* slot_1 = at<float>(instance->workspace, 512);  // f32[100]

  // copy.1
  if (failed({"copy", cudaMemcpyAsync(slot_0, in->x, 400, cudaMemcpyDeviceToDevice, stream)})) {
    return kAddTwoCudaError;
  }

  // while.4: the recurrence
  for (int t = 0; t < 10; ++t) {
    // add.5
    if (failed({"add", kernels::add::enqueue(slot_0, in->z, slot_1, stream)})) {
      return kAddTwoCudaError;
    }

    std::swap(slot_0, slot_1);
  }

  // add.6
  if (failed({"add", kernels::add::enqueue(slot_0, in->z, out->sum, stream)})) {
    return kAddTwoCudaError;
  }
)");
}

TEST(EmitLauncher, While) {
  Program program = add_program();
  program.plan.buffers.push_back(buffer(Buffer::Kind::kArena, "more", Shape::scalar(DType::kPred), 256));
  program.plan.arena_bytes = 257;
  program.plan.synchronises = true;
  HostStep loop{.kind = HostStep::Kind::kWhile, .buffers = {3}, .comment = "while.2"};
  loop.condition = loop.body = program.plan.steps;
  program.plan.steps = {loop};
  EXPECT_TRUE(can_capture(name_host(program)) && decides_in_graph(name_host(program)));
  EXPECT_EQ(steps_of(program), R"(
  bool* const more = at<bool>(instance->workspace, 256);  // pred[]

  // while.2
  DataLoop loop(instance->condition, stream);
  for (;;) {
    // add.3 (add.py:7)
    if (failed({"add", kernels::add::enqueue(in->x, in->z, out->sum, loop.stream)})) {
      return kAddTwoCudaError;
    }

    bool goes_on = false;
    if (failed({"condition", loop.ask(more, &goes_on)})) return kAddTwoCudaError;
    if (!goes_on) break;

    // add.3 (add.py:7)
    if (failed({"add", kernels::add::enqueue(in->x, in->z, out->sum, loop.stream)})) {
      return kAddTwoCudaError;
    }
  }
)");
  // What a graph may not have in a node: a launch whose blocks wait for one another.
  program.kernels[0].resident = true;
  EXPECT_FALSE(can_capture(name_host(program)));
  EXPECT_EQ(steps_of(program), R"(
  bool* const more = at<bool>(instance->workspace, 256);  // pred[]

  // while.2
  for (;;) {
    // add.3 (add.py:7)
    if (failed({"add", kernels::add::enqueue(in->x, in->z, out->sum, stream)})) {
      return kAddTwoCudaError;
    }

    bool goes_on = false;
    if (failed({"condition", read_back(instance->condition, more, stream, &goes_on)})) {
      return kAddTwoCudaError;
    }
    if (!goes_on) break;

    // add.3 (add.py:7)
    if (failed({"add", kernels::add::enqueue(in->x, in->z, out->sum, stream)})) {
      return kAddTwoCudaError;
    }
  }
)");
}

TEST(EmitLauncher, RangesHaveTheHloOfAllSteps) {
  Program program = add_program();
  program.plan.steps.push_back(program.plan.steps[0]);
  program.plan.steps.push_back(program.plan.steps[0]);
  program.plan.steps[1].comment = "a \"quoted\" name\\ and\na line";
  const std::string text = emit_ranges(name_host(program));
  const std::string row = R"({"add", "add: add.3 (add.py:7); a \"quoted\" name/ and a line"},)";
  EXPECT_NE(text.find(row), std::string::npos) << text;
}

TEST(EmitLauncher, DonatedInput) {
  Program program = add_program();
  program.plan.buffers[0].kind = Buffer::Kind::kDonated;
  program.plan.steps[0].buffers = {0, 1, 0};
  EXPECT_EQ(steps_of(program), R"(
  // Donated inputs are computed upon in the memory of their outputs.
  if (in->x != out->sum &&
      failed({"copy", cudaMemcpyAsync(out->sum, in->x, 400, cudaMemcpyDeviceToDevice, stream)})) {
    return kAddTwoCudaError;
  }

  // add.3 (add.py:7)
  if (failed({"add", kernels::add::enqueue(out->sum, in->z, out->sum, stream)})) {
    return kAddTwoCudaError;
  }
)");
  EXPECT_NE(emit_launcher(name_host(program), {}).find("constexpr int kDonatedTo[] = {0, -1};"), std::string::npos);
}

TEST(EmitLauncher, NestingDoesNotUseTheStack) {
  Program program = add_program();
  for (int depth = 0; depth < 2000; ++depth) {
    HostStep loop{.kind = HostStep::Kind::kLoop, .trip = 2, .counter = "t" + std::to_string(depth)};
    loop.body = std::move(program.plan.steps);
    program.plan.steps.clear();
    program.plan.steps.push_back(std::move(loop));
  }
  EXPECT_NE(steps_of(program).find("t1999 < 2"), std::string::npos);
}

TEST(EmitLauncher, RefusesBugsOfLowering) {
  Program missing = add_program();
  missing.plan.steps[0].buffers = {0, 1, 7};
  EXPECT_THROW(steps_of(missing), InternalError);
  Program writes_input = add_program();
  writes_input.plan.steps[0].buffers = {0, 1, 1};
  EXPECT_THROW(steps_of(writes_input), InternalError);
  Program too_few = add_program();
  too_few.plan.steps[0].buffers = {0, 2};
  EXPECT_THROW(steps_of(too_few), InternalError);
  Program wrong_type = add_program();
  wrong_type.plan.buffers[1].shape.dtype = DType::kS32;
  EXPECT_THROW(steps_of(wrong_type), InternalError);
}

TEST(EmitLauncher, NamesFromTheUserAreEscaped) {
  Program program = add_program();
  program.name = "int";
  program.inputs[0].name = "new";
  program.inputs[1].name = "x*/ int y;";
  program.plan.steps[0].comment = "evil\\\nint z;";
  const HostProgram host = name_host(program);
  EXPECT_EQ(host.name, "int_model");
  EXPECT_EQ(host.inputs[0].name, "new_");
  EXPECT_EQ(host.inputs[1].name, "x_int_y_");
  EXPECT_NE(emit_run_steps(host).find("// evil/ int z;\n"), std::string::npos);
}

TEST(EmitLauncher, Sizes) {
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1000), "1.0 kB");
  EXPECT_EQ(bytes_text(16384000), "16.4 MB");
  EXPECT_EQ(bytes_text(999999), "1.0 MB");
}

}  // namespace
}  // namespace sinter
