#include "passes/schedule/cost/shared_work.h"

#include <gtest/gtest.h>

#include "frontend/hlo/parse_hlo.h"

namespace sinter {
namespace {

constexpr const char* kSharedWorkProgram = R"(
HloModule program
ENTRY main {
  x = f32[64] parameter(0)
  shared = f32[64] sine(x)
  other = f32[64] cosine(x)
  a = f32[64] negate(shared)
  b = f32[64] exponential(shared)
  c = f32[64] negate(other)
  ROOT all = (f32[64], f32[64], f32[64]) tuple(a, b, c)
}
)";

class SharedWorkTest : public testing::Test {
 protected:
  const Instruction* named(const std::string& name) const {
    for (const Instruction& instruction : module_->entry()->instructions()) {
      if (instruction.name == name) return &instruction;
    }
    return nullptr;
  }

  Source source_{.name = "program.hlo", .text = kSharedWorkProgram};
  Diagnostics diagnostics_{source_};
  std::unique_ptr<Module> module_ = parse_hlo(diagnostics_);
  int looked_through_ = 0;
  SharedWork work_{[this](const Instruction* array, int64_t) {
    ++looked_through_;
    return std::vector<int>{static_cast<int>(array->position()), static_cast<int>(array->operand(0)->position())};
  }};
  const std::function<bool(int)> any_ = [](int) { return true; };
};

TEST_F(SharedWorkTest, KernelsThatComputeFromTheSameValuesAreFound) {
  work_.add(0, 64, {named("a")});
  work_.add(1, 64, {named("c")});
  EXPECT_EQ(work_.sharing(named("b"), 64, any_), std::vector<int>{0});
  EXPECT_TRUE(work_.sharing(named("b"), 32, any_).empty());
  EXPECT_TRUE(work_.sharing(named("b"), 64, [](int kernel) { return kernel != 0; }).empty());
  // Kernel 1 takes the place of both, then computes other elements.
  work_.add(1, 64, {named("a"), named("c")});
  EXPECT_EQ(work_.sharing(named("b"), 64, any_), std::vector<int>{1});
  work_.add(1, 32, {named("a"), named("c")});
  EXPECT_TRUE(work_.sharing(named("b"), 64, any_).empty());
  EXPECT_EQ(work_.sharing(named("b"), 32, any_), std::vector<int>{1});
}

TEST_F(SharedWorkTest, AnArrayIsLookedThroughOnceForAllOthers) {
  for (const char* name : {"a", "b", "c"}) work_.add(0, 64, {named(name)});
  constexpr int kAsked = 10;
  for (int i = 0; i < kAsked; ++i) work_.sharing(named("b"), 64, any_);
  EXPECT_EQ(looked_through_, 3 + kAsked);
}

}  // namespace
}  // namespace sinter
