#include "passes/schedule/moves/launch_part.h"

#include <algorithm>

#include "passes/analysis/values/hardware.h"

namespace sinter {

std::optional<LaunchPart> launch_part(const Group& group) {
  if (!group.is_kernel() || !group.form.kind->may_share_launch || group.launch->launches > 1) return std::nullopt;
  const auto is_empty = [](const Instruction* output) { return output->shape.element_count() == 0; };
  const std::vector<const Instruction*>& outputs = group.values.outputs;
  if (std::any_of(outputs.begin(), outputs.end(), is_empty)) return std::nullopt;
  LaunchPart part;
  if (group.form.kind->launch == nullptr) {
    // Its cost says how it is launched.
    if (!group.cost || group.cost->launch.alone) return std::nullopt;
    part.block = group.cost->launch.threads;
    part.blocks = group.cost->launch.blocks;
    return part;
  }
  const LaunchShape& shape = *group.launch;
  // Blocks whose threads have arrays of their own want a multiprocessor each where there are enough, whatever the size
  // of a block is.
  if (!shape.layers.empty() && shape.threads <= kMultiprocessors * kMostThreads) return std::nullopt;
  for (const Instruction* value : group.values.context.computed) part.loops |= value->opcode == Opcode::kWhile;
  if (shape.needs_block) {
    part.block = shape.block;
    part.blocks = shape.grid;
  } else {
    part.threads = shape.threads;
    part.together = shape.together;
  }
  return part;
}

bool meets(const std::set<const Instruction*>& a, const std::set<const Instruction*>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Instruction* value) { return b.count(value) > 0; });
}

}  // namespace sinter
