#include "passes/schedule/launch_shape.h"

#include <algorithm>

#include "ir/op_table.h"
#include "passes/graph/per_element.h"
#include "passes/schedule/vectorize.h"

namespace sinter {

namespace {

// Longest row that one warp takes: 32 elements a lane.
constexpr int64_t kWarpColumns = 1024;
constexpr int64_t kWarpsABlock = 4;
// Loops of more operations than this a body are not unrolled further.
constexpr int64_t kUnrolledOperations = 4000;

}  // namespace

LaunchShape row_launch_shape(const RowExtents& row) {
  LaunchShape shape;
  if (row.columns <= kWarpColumns && row.rows > 1) {
    shape.tier = "warp";
    shape.block = 32 * std::min<int64_t>(kWarpsABlock, row.rows);
    shape.grid = ceil_div(row.rows, shape.block / 32);
  } else {
    shape.tier = "block";
    shape.block = row.columns <= 8192 ? 256 : 1024;
    if (row.columns <= 256) shape.block = ceil_div(row.columns, 32) * 32;
    shape.grid = row.rows;
  }
  return shape;
}

LaunchShape map_launch_shape(const MapDemand& demand) {
  LaunchShape shape;
  shape.vector_width = vector_width(demand);
  const int64_t threads = demand.threads / shape.vector_width;
  // Few threads: small blocks, so that every multiprocessor has some.
  shape.block = 256;
  while (shape.block > 32 && ceil_div(threads, shape.block) < kMultiprocessors) shape.block /= 2;
  // One element: one thread, so that it alone reads what it may write over.
  if (demand.threads == 1) shape.block = 1;
  shape.grid = ceil_div(threads, shape.block);
  return shape;
}

int64_t unroll_factor(const Instruction& loop, int64_t requested) {
  if (requested > 0) return requested;
  // The input repeated its body this often (roll_loops).
  const auto repeated = loop.frontend_attributes.find("sinter_unroll");
  if (repeated != loop.frontend_attributes.end())
    return std::clamp<int64_t>(std::atoll(repeated->second.c_str()), 1, 64);
  const WhileInfo info = analyze_while(loop);
  if (!info.trip_count || *info.trip_count < 4) return 1;
  int64_t operations = 0;
  for (const Instruction& instruction : (*loop.attributes.body)->instructions()) {
    operations += opcode_family(instruction.opcode) == Family::kElementwise ? op_def(instruction.opcode).cost : 0;
    if (instruction.opcode == Opcode::kCall) operations += element_cost(**instruction.attributes.to_apply);
    if (instruction.opcode == Opcode::kWhile) return 1;
  }
  for (const int64_t factor : {10, 8, 5, 4, 2}) {
    if (*info.trip_count % factor == 0 && operations * factor <= kUnrolledOperations) return factor;
  }
  return 1;
}

}  // namespace sinter
