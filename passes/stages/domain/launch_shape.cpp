#include "passes/stages/domain/launch_shape.h"

#include <algorithm>
#include <bit>

#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/domain/steps_ahead.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

namespace {

// Longest row that one warp takes: 32 elements a lane.
constexpr int64_t kWarpColumns = 1024;
// Longest row that a few lanes of a warp take, one element each; and longest of so many rows that fewer lanes each fill
// the machine too: a block takes as long to come and go (work.cpp) as it does to move four such rows.
constexpr int64_t kLanesColumns = 16;
constexpr int64_t kManyLanesColumns = 128;
constexpr int64_t kManyRows = 16384;
// Elements of rows side by side from which a block has as many warps as it can; smaller blocks can share launches.
constexpr int64_t kLongAcross = 4096;
constexpr int64_t kWarpsABlock = 4;
// Loops of more operations than this a body are not unrolled further.
constexpr int64_t kUnrolledOperations = 4000;

}  // namespace

// A power of two: for an element each, up to four where rows are many, or up to eight of a longer row.
static int64_t lanes_a_row(const RowExtents& row) {
  const auto filled = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(row.columns)));
  if (row.columns > kLanesColumns) return std::min(filled / 8, kWarp);
  return filled > 4 && row.rows >= kManyRows ? filled / 4 : filled;
}

int64_t threads_a_row(Tier tier, const RowExtents& row, int64_t block) {
  switch (tier) {
    case Tier::kLanes:
      return lanes_a_row(row);
    case Tier::kWarp:
      return kWarp;
    case Tier::kBlock:
      return block;
    case Tier::kAcross:
      return block / kWarp;
  }
  return block;
}

LaunchShape row_launch_shape(const RowExtents& row) {
  LaunchShape shape;
  shape.needs_block = true;
  if (row.inner > 1) {
    shape.tier = Tier::kAcross;
    shape.block = row.columns >= kLongAcross ? kMostThreads : 256;
    shape.grid = ceil_div(row.rows, kWarp);
  } else if (row.columns <= kWarpColumns && row.rows > 1) {
    const bool lanes = row.columns <= kLanesColumns || (row.columns <= kManyLanesColumns && row.rows >= kManyRows);
    shape.tier = lanes ? Tier::kLanes : Tier::kWarp;
    shape.needs_block = false;
    shape.together = threads_a_row(shape.tier, row, shape.block);
    shape.threads = row.rows * shape.together;
    shape.block = kWarp * std::min(kWarpsABlock, ceil_div(shape.threads, kWarp));
    shape.grid = ceil_div(row.rows, shape.block / shape.together);
  } else {
    shape.tier = Tier::kBlock;
    shape.block = row.columns <= 8192 ? 256 : kMostThreads;
    if (row.columns <= 256) shape.block = ceil_div(row.columns, kWarp) * kWarp;
    shape.grid = row.rows;
  }
  return shape;
}

LaunchShape map_launch_shape(const MapDemand& demand) {
  LaunchShape shape;
  shape.domain = demand.domain;
  shape.domain.width = vector_width(demand);
  shape.layers = demand.layers;
  shape.threads = demand.threads / shape.domain.width;
  const int64_t stacked = stacked_bytes(*demand.graph);
  shape.stacks = stacked > 0;
  shape.needs_block = demand.block != 0 || shape.stacks;
  shape.block = demand.block != 0    ? block_threads(demand)
                : shape.stacks       ? stacking_block(shape.threads, stacked)
                : demand.threads > 1 ? map_block(shape.threads)
                                     : 1;
  shape.domain.tile = choose_map_tile(demand, shape.domain.width);
  if (shape.domain.tile > 0) {
    shape.domain.width = 1;
    shape.threads = demand.threads;
    shape.needs_block = true;
    shape.block = kMapTileThreads;
    shape.grid = map_tiles(demand, shape.domain.tile)->tiles;
    return shape;
  }
  const int64_t groups = groups_of_block(demand);
  shape.grid = ceil_div(shape.threads, demand.block != 0 ? groups * demand.block : shape.block);
  for (size_t number = 0; number < demand.graph->loops.size(); ++number) {
    const std::optional<StepsAhead> ahead = find_steps_ahead(demand, number);
    if (ahead && is_worth_ahead(*ahead)) shape.ahead.insert(demand.graph->loops[number].instruction);
  }
  return shape;
}

int64_t groups_of_block(const MapDemand& demand) {
  using Kind = DemandNode::Kind;
  constexpr int64_t kMostThreadsTogether = 128;
  if (demand.block < 2 || demand.block >= kWarp || !std::has_single_bit(static_cast<uint64_t>(demand.block))) return 1;
  const auto is_of_another = [](const DemandNode& node) {
    const bool scans = node.kind == Kind::kBlockReduce && node.instruction->opcode == Opcode::kReduceWindow;
    return scans || node.kind == Kind::kExchanged || node.kind == Kind::kOfThread || node.kind == Kind::kShared;
  };
  if (std::ranges::any_of(demand.graph->nodes, is_of_another) || stacked_bytes(*demand.graph) > 0) return 1;
  // Lanes of a warp meet in each step, so that all groups make the same ones.
  const auto may_differ = [](const DemandLoop& loop) { return loop.counter < 0 || loop.guard != 0; };
  if (std::ranges::any_of(demand.graph->loops, may_differ)) return 1;
  for (int64_t threads = kMostThreadsTogether; threads >= kWarp; threads /= 2) {
    const bool fills = threads == kWarp || demand.threads / threads >= kMultiprocessors;
    if (fills && demand.threads % threads == 0) return threads / demand.block;
  }
  return 1;
}

int64_t block_threads(const MapDemand& demand) {
  return ceil_div(groups_of_block(demand) * demand.block, kWarp) * kWarp;
}

int64_t stacking_block(int64_t threads, int64_t bytes) {
  // Fewer than four warps combine fewer steps at a time.
  const int64_t filled = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(threads)));
  const int64_t least = std::clamp(filled, kWarp, 4 * kWarp);
  int64_t block = std::max(map_block(threads), least);
  while (block > kWarp && block * bytes > kSharedBytesUnasked) block /= 2;
  // One that divides the threads leaves none of the last block's idle.
  int64_t whole = block;
  while (whole > kWarp && threads % whole != 0) whole /= 2;
  return threads % whole == 0 && whole >= std::min(least, block) ? whole : block;
}

int64_t steps_at_once(int64_t block, int64_t bytes) {
  const int64_t most = std::clamp<int64_t>(kSharedBytesUnasked / (block * bytes), 1, block / kWarp);
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(most)));
}

int64_t map_block(int64_t threads) {
  // Few threads: small blocks, so that every multiprocessor has some.
  int64_t block = 256;
  while (block > 32 && ceil_div(threads, block) < kMultiprocessors) block /= 2;
  return block;
}

// A sum of so many elements that a thread makes it in a loop.
static bool loops(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kReduce && instruction.opcode != Opcode::kDot) return false;
  const auto& dims = instruction.opcode == Opcode::kReduce ? instruction.attributes->dimensions
                                                           : instruction.attributes->lhs_contracting_dims;
  return product(instruction.operand(0)->shape, dims.value_or(std::vector<int64_t>{})) > kShortReduction;
}

int64_t unroll_factor(const Instruction& loop, const LaunchShape& launch, int64_t requested, int64_t ahead) {
  if (requested > 0) return requested;
  // The input repeated its body this often (roll_loops).
  const auto repeated = loop.annotations->frontend_attributes.find("sinter_unroll");
  if (repeated != loop.annotations->frontend_attributes.end())
    return std::clamp<int64_t>(std::atoll(repeated->second.c_str()), 1, 64);
  const WhileInfo info = analyze_while(loop);
  if (!info.trip_count || *info.trip_count < 4) return 1;
  int64_t operations = 0;
  for (const Instruction& instruction : (*loop.attributes->body)->instructions()) {
    operations += operation_cost(instruction);
    const bool stacked = launch.stacks && instruction.opcode == Opcode::kReduce && instruction.shape.is_scalar();
    if (instruction.opcode == Opcode::kWhile || (!stacked && loops(instruction))) return 1;
  }
  const int64_t steps = ahead > 1 ? ahead : *info.trip_count;
  const auto divides = [&](int64_t factor) {
    // The steps of a batch are a power of two: which of them it is should be known.
    if (launch.stacks && !std::has_single_bit(static_cast<uint64_t>(factor))) return false;
    return steps % factor == 0 && operations * factor <= kUnrolledOperations;
  };
  for (const int64_t factor : {10, 8, 5, 4}) {
    if (divides(factor)) return factor;
  }
  if (launch.stacks) return divides(2) ? 2 : 1;
  // All steps of a short loop, else those left over are made one by one: few of them count little in a long loop.
  constexpr int64_t kShort = 10, kLong = 64;
  if (steps <= kShort && divides(steps)) return steps;
  if (steps >= kLong) {
    for (const int64_t factor : {8, 4}) {
      if (operations * factor <= kUnrolledOperations) return factor;
    }
  }
  int64_t best = divides(2) ? 2 : 1;
  for (const int64_t factor : {10, 8, 5, 4}) {
    const bool fits = factor < steps && operations * factor <= kUnrolledOperations;
    if (fits && unrolled_waits(steps, factor) < unrolled_waits(steps, best)) best = factor;
  }
  return best;
}

int64_t unrolled_waits(int64_t steps, int64_t factor) { return steps / factor + steps % factor; }

}  // namespace sinter
