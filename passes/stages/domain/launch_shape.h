// Grid and block of a kernel, and how far its loops are unrolled.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "ir/support/ceil_div.h"
#include "passes/analysis/loops/stacked_reductions.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/domain/domain.h"
#include "passes/stages/domain/tier.h"

namespace sinter {

struct LaunchShape {
  int64_t grid = 1;
  int64_t block = 1;
  int64_t launches = 1;  // one after the other
  // Of a kernel whose threads may be in blocks of any size: those that have work, of which so many neighbours stay in
  // one block.
  int64_t threads = 0;
  int64_t together = 1;
  bool needs_block = false;            // threads work together as a block of this size: no other one will do
  Tier tier = Tier::kBlock;            // of a row kernel
  MapDomain domain;                    // of a map kernel
  int64_t tile = 0;                    // of a scan: elements of a row that a block takes, where these are not all
  bool stacks = false;                 // of a map kernel: blocks reduce what their threads have of each step of a loop
  std::set<const Instruction*> ahead;  // of a map kernel: loops that compute steps ahead (steps_ahead.h)
  Layers layers;                       // of a map kernel
};

LaunchShape row_launch_shape(const RowExtents& row);
// Threads that share a row in a row kernel of that tier and block: whole blocks, warps, or a power of two of lanes; one
// of each warp.
int64_t threads_a_row(Tier tier, const RowExtents& row, int64_t block);
LaunchShape map_launch_shape(const MapDemand& demand);
// How many of demand.block elements, whose threads work together, are one block: several where these are lanes of a
// warp, which only reduce. 1 elsewhere.
int64_t groups_of_block(const MapDemand& demand);
// The threads of a block of a map kernel whose threads work together: an element each, and as many that repeat the last
// one as fill a warp.
int64_t block_threads(const MapDemand& demand);
// The block of a launch of so many threads that each may be in any block.
int64_t map_block(int64_t threads);

// Of a kernel whose blocks reduce what its threads have of each step of a loop, so many bytes a thread: the block, of
// whole warps, and how many steps it reduces at a time, a power of two. They meet in shared memory that needs no asking
// for (kSharedBytesUnasked).
int64_t stacking_block(int64_t threads, int64_t bytes);
int64_t steps_at_once(int64_t block, int64_t bytes);
// Of such blocks, the last of so many to finish reduces what they have come to (templates/device/block_tree.cuh).
inline constexpr int64_t kBlocksAGroup = 16;

// A divisor of the trip count, or a number that leaves few iterations over, which nvcc makes one by one: what hides
// loop overhead and loads without growing the kernel beyond about 4,000 weighted operations. `requested` > 0 is taken
// as it is; 1 means not unrolled. Of a loop that computes `ahead` steps at a time, a divisor of these.
int64_t unroll_factor(const Instruction& loop, const LaunchShape& launch, int64_t requested, int64_t ahead);

// How often a loop of so many steps waits for what its steps load, if so many of them are made at a time.
int64_t unrolled_waits(int64_t steps, int64_t factor);

}  // namespace sinter
