// What a scan computes: what it is of, what is made of it, and the steps that combine both.
#include <algorithm>

#include "passes/schedule/cost/graph_work.h"
#include "passes/schedule/cost/work.h"
#include "passes/stages/scans/scan_tile.h"

namespace sinter {

Work scan_work(const ScanDemand& demand) {
  const ScanTile tile = scan_tile(demand);
  const double elements = static_cast<double>(demand.extents.rows) * static_cast<double>(demand.extents.columns);
  const Work before = graph_work(*demand.operand), after = graph_work(*demand.epilogue);
  Work work;
  // Long rows are read twice: their tiles are combined first.
  add(&work, before, elements * (tile.tiles > 1 ? 2 : 1));
  add(&work, after, elements);
  constexpr double kStepInstructions = 12;  // a thread's part of combining a warp, and warps, of an element each
  work.memory += kStepInstructions / 2 * elements;
  (is_float(demand.scan->shape.dtype) ? work.f32 : work.integer) += kStepInstructions / 2 * elements;
  if (is_float(demand.scan->shape.dtype)) work.flops += elements;
  work.chain = before.chain + after.chain + scan_step_cycles(demand.extents, tile);
  const double registers = std::max(graph_registers(*demand.operand, 1), graph_registers(*demand.epilogue, 1));
  work.registers = whole_registers(registers + 6);
  return work;
}

}  // namespace sinter
