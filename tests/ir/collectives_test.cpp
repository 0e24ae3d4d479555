#include "ir/kernel/collectives.h"

#include <gtest/gtest.h>

#include "ir/kernel/kernel.h"
#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

TEST(Collectives, AreKnownByTheirFunction) {
  EXPECT_EQ(sync_of("__syncthreads", {}), Sync::kBlock);
  EXPECT_EQ(sync_of("block_reduce<kThreads>", {}), Sync::kBlock);
  EXPECT_EQ(sync_of("warp_reduce<kLanes>", {}), Sync::kWarp);
  EXPECT_EQ(sync_of("turns.advance", {}), Sync::kWarp);
  EXPECT_EQ(sync_of("expf", {}), Sync::kNone);
  EXPECT_EQ(sync_of("block_reduce_of_mine", {}), Sync::kNone);
}

TEST(Collectives, OfATeamSayWhichThreadsWait) {
  EXPECT_EQ(sync_of("factor_lu<WarpTeam, kColumns>", Sync::kWarp), Sync::kWarp);
  EXPECT_THROW(sync_of("factor_lu<WarpTeam, kColumns>", {}), InternalError);
  EXPECT_THROW(sync_of("block_reduce<kThreads>", Sync::kNone), InternalError);
}

TEST(Collectives, AreKnownToTheirCalls) {
  Kernel kernel;
  const CType f32 = CType::value(DType::kF32);
  const Expr* call = kernel.call("block_reduce<kThreads>", {kernel.name_expr("x", f32)}, f32);
  EXPECT_EQ(call->sync, Sync::kBlock);
  EXPECT_EQ(kernel.with_operands(*call, {kernel.name_expr("y", f32)})->sync, Sync::kBlock);
  EXPECT_EQ(kernel.infix(call, "+", call, f32)->sync, Sync::kNone);
}

}  // namespace
}  // namespace sinter
