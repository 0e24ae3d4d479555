// Which steps of the host become branches, of hand-made plans.
#include "passes/lower/host/forks.h"

#include <gtest/gtest.h>

namespace sinter {
namespace {

// Kernel number k reads its first k + 1 buffers and writes the last one; it takes 10 us, and a tenth of the device.
class Forks : public testing::Test {
 protected:
  Forks() {
    program_.inputs.resize(1);
    program_.inputs[0].donated_to = 0;
    program_.outputs.resize(1);
    add(Buffer::Kind::kInput);
    add(Buffer::Kind::kOutput);
    for (int i = 0; i < 8; ++i) add(Buffer::Kind::kArena);
    for (size_t reads = 1; reads <= 2; ++reads) {
      Kernel& kernel = program_.kernels.emplace_back();
      kernel.parameters.resize(reads + 1);
      kernel.parameters.back().output = true;
    }
  }

  size_t add(Buffer::Kind kind, int64_t index = 0) {
    Buffer buffer;
    buffer.kind = kind;
    buffer.index = index;
    buffer.shape = Shape::array(DType::kF32, {100});
    program_.plan.buffers.push_back(std::move(buffer));
    return program_.plan.buffers.size() - 1;
  }
  void launch(std::vector<size_t> buffers) {
    HostStep step;
    step.kernel = buffers.size() - 2;
    step.buffers = std::move(buffers);
    program_.plan.steps.push_back(std::move(step));
  }
  void fork() {
    fork_steps([](const HostStep&) { return StepLoad{10, 0.1}; }, &program_);
  }
  // Of each step the number of arms' steps: {2, 1} of a fork, {} of a launch.
  std::vector<std::vector<size_t>> shape() const {
    std::vector<std::vector<size_t>> result;
    for (const HostStep& step : program_.plan.steps) {
      std::vector<size_t>& arms = result.emplace_back();
      for (const std::vector<HostStep>& arm : step.arms) arms.push_back(arm.size());
    }
    return result;
  }

  // in is donated to out.
  static constexpr size_t kIn = 0, kOut = 1, kA = 2, kB = 3, kC = 4, kD = 5;
  using Steps = std::vector<std::vector<size_t>>;
  Program program_;
};

TEST_F(Forks, ChainsThatNeedNothingOfEachOther) {
  launch({kIn, kA});
  launch({kA, kB});
  launch({kA, kC});
  launch({kB, kA, kD});
  fork();
  EXPECT_EQ(shape(), (Steps{{}, {1, 1}, {}}));
}

TEST_F(Forks, AChainStaysAsItIs) {
  launch({kIn, kA});
  launch({kA, kB});
  launch({kB, kC});
  fork();
  EXPECT_EQ(shape(), (Steps{{}, {}, {}}));
}

TEST_F(Forks, WhatWritesWaitsForReaders) {
  launch({kA, kB});
  launch({kC, kA});
  fork();
  EXPECT_EQ(shape(), (Steps{{}, {}}));
}

TEST_F(Forks, WhatWritesWaitsForWhatWroteBefore) {
  launch({kA, kB});
  launch({kC, kB});
  fork();
  EXPECT_EQ(shape(), (Steps{{}, {}}));
}

TEST_F(Forks, ADonatedInputIsItsOutput) {
  launch({kIn, kA});
  launch({kC, kOut});
  fork();
  EXPECT_EQ(shape(), (Steps{{}, {}}));
}

TEST_F(Forks, APointerIsAllThatItMayPointTo) {
  const size_t pointer = add(Buffer::Kind::kPointer);
  program_.plan.buffers[pointer].targets = {kA, kB};
  launch({pointer, kC});
  launch({kD, kB});
  fork();
  EXPECT_EQ(shape(), (Steps{{}, {}}));
}

TEST_F(Forks, BranchesDoNotShareMemory) {
  launch({kIn, kA});
  launch({kA, kOut});
  launch({kIn, kB});
  launch({kB, kC});
  fork();
  // The first writes what the others read.
  EXPECT_EQ(shape(), (Steps{{}, {}, {}, {}}));
  program_.inputs[0].donated_to = -1;
  fork();
  ASSERT_EQ(shape(), (Steps{{2, 2}}));
  EXPECT_NE(program_.plan.buffers[kA].offset, program_.plan.buffers[kB].offset);
}

TEST_F(Forks, BranchesCountBlocksApart) {
  const size_t counts = add(Buffer::Kind::kFinished);
  launch({kIn, counts, kA});
  launch({kIn, counts, kB});
  fork();
  ASSERT_EQ(shape(), (Steps{{1, 1}}));
  const std::vector<std::vector<HostStep>>& arms = program_.plan.steps[0].arms;
  EXPECT_EQ(program_.plan.buffers[arms[0][0].buffers[1]].index, 0);
  EXPECT_EQ(program_.plan.buffers[arms[1][0].buffers[1]].index, 100);
}

TEST_F(Forks, LaunchesWhoseBlocksWaitForEachOtherAreAlone) {
  program_.kernels[0].resident = true;
  launch({kIn, kA});
  launch({kIn, kB});
  fork();
  EXPECT_EQ(shape(), (Steps{{}, {}}));
}

TEST(SideBySide, TakesWhatTheLongestTakes) {
  EXPECT_DOUBLE_EQ(side_by_side_us({{{10, 0.2}, {5, 0.2}}, {{12, 0.5}}}), 15);
}

TEST(SideBySide, TakesLongerWhereTheDeviceIsFull) {
  EXPECT_DOUBLE_EQ(side_by_side_us({{{10, 1}}, {{10, 1}}}), 20);
  EXPECT_DOUBLE_EQ(side_by_side_us({{{10, 1}}, {{20, 0.5}}}), 25);
}

}  // namespace
}  // namespace sinter
