#include "passes/schedule/moves/launch_part.h"

#include <algorithm>

#include "passes/stages/scans/scan_tile.h"

namespace sinter {

std::optional<LaunchPart> launch_part(const Group& group) {
  if (group.host_loop || group.own != nullptr || group.contract) return std::nullopt;
  const auto is_empty = [](const Instruction* output) { return output->shape.element_count() == 0; };
  const std::vector<const Instruction*>& outputs = group.values.outputs;
  if (std::any_of(outputs.begin(), outputs.end(), is_empty)) return std::nullopt;
  LaunchPart part;
  for (const Instruction* value : group.values.context.computed) {
    part.loops |= value->opcode == Opcode::kWhile;
    if (!group.scan || !is_scan(*value)) continue;
    if (scan_tile(*value).tiles > 1) return std::nullopt;  // two launches, one after the other
  }
  const LaunchShape& shape = *group.launch;
  if (group.scan || shape.domain.of_block > 0 || shape.stacks) {
    part.block = shape.block;
    part.blocks = shape.grid;
  } else if (!group.row) {
    part.threads = shape.threads;
  } else if (shape.tier == "block" || shape.tier == "across") {
    part.block = shape.block;
    part.blocks = shape.grid;
  } else {
    part.together = threads_a_row(shape.tier, group.row->columns, shape.block);
    part.threads = group.row->rows * part.together;
  }
  return part;
}

bool meets(const std::set<const Instruction*>& a, const std::set<const Instruction*>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Instruction* value) { return b.count(value) > 0; });
}

}  // namespace sinter
