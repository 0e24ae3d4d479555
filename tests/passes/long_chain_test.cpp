// Passes that follow values through a whole program go through a long chain of operations once, and not by recursion.
#include <gtest/gtest.h>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"

namespace sinter {
namespace {

// x op y op y ..., of two operations in an order that nothing repeats.
void make_chain(Module* module, DType dtype, int64_t length) {
  module->set_entry(module->add_computation("main"));
  GraphBuilder builder(*module->entry());
  const GraphBuilder::Value y = builder.parameter(Shape::array(dtype, {8}), "y");
  GraphBuilder::Value x = builder.parameter(Shape::array(dtype, {8}), "x");
  uint64_t bits = 1;
  for (int64_t i = 0; i < length; ++i) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    x = bits >> 63 == 0 ? builder.add({x, y}) : builder.multiply({x, y});
  }
  module->entry()->set_root(x);
}

TEST(LongChain, IsNoDeepRecursionForRepeats) {
  Module module;
  make_chain(&module, DType::kF32, 500'000);
  EXPECT_FALSE(roll_repeats(module, {}));
}

TEST(LongChain, IsFollowedOnceWhereNothingAsksForItsSize) {
  Module module;
  make_chain(&module, DType::kS32, 200'000);
  EXPECT_FALSE(mark_wrapping(module, {}));
}

}  // namespace
}  // namespace sinter
