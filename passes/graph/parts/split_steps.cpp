// split_steps: a sum or the like of all elements that a loop makes in each step becomes two from fewer elements on than
// others (split_reductions): one block does not hold up every step, and the first of the two may share a launch, or its
// kernel makes the elements. Whether that is faster depends on what else is in the step: the program is planned without
// it, too, which for long programs takes longer than the sum is worth.
//
//   %s = f32[] reduce(%x, %zero), dimensions={0,1}   =>   %p = f32[68] reduce(reshape(%x), %zero), dimensions={1}
//   x f32[204,412]                                        %s = f32[] reduce(%p, %zero), dimensions={0}
#include <set>

#include "passes/graph/base/passes.h"
#include "passes/graph/parts/attended_later.h"
#include "passes/graph/parts/partial_reduction.h"

namespace sinter {

bool split_steps(Module& module, const GraphPassOptions& options) {
  constexpr int64_t kMuchOfRow = 1 << 18;  // adds: 2 us of a block of 1,024 threads of an h200
  constexpr size_t kMostInstructions = 512;
  std::set<const Computation*> bodies;
  size_t instructions = 0;
  for (const auto& computation : module.computations()) {
    instructions += computation->instructions().size();
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == Opcode::kWhile) bodies.insert(*instruction.attributes->body);
    }
  }
  if (bodies.empty() || instructions > kMostInstructions) return false;
  bool changed = false;
  const std::set<const Instruction*> attended = attended_later(module, options);
  for (Instruction* reduce : reductions_to_split(module)) {
    const bool of_step = bodies.contains(reduce->parent()) && reduce->shape.is_array();
    if (!of_step || reduce->shape.element_count() != 1 || attended.contains(reduce)) continue;
    changed |= split_reduction(*reduce, kMuchOfRow);
  }
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
