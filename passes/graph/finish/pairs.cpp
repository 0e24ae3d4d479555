// pairs: a reduction over pairs of a row and a column, whose terms are no products or are combined by another operation
// than a sum, becomes a fusion, which has a stage of its own (passes/stages/pairs): each element that is read counts
// for many results, as in a matrix product.
//
//   %d = f32[4096,4096,256] subtract(broadcast(%a), dimensions={0,2}, broadcast(%b), dimensions={1,2})
//   %s = f32[4096,4096] reduce(abs(%d), 0), dimensions={2}
//                                                     =>
//   %s = f32[4096,4096] fusion(%a, %b), calls=%pairs, frontend_attributes={sinter_stage="pairs"}
#include <set>

#include "passes/analysis/functions/pairs.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"
#include "passes/stages/pairs/pair_reduction.h"

namespace sinter {

bool pairs(Module& module, const GraphPassOptions& options) {
  const bool pinned = is_pinned(options, "pairs");
  bool changed = false;
  const std::set<const Computation*> done = computations_of_stages(module);
  for (Instruction* reduce : instructions_of(module, Opcode::kReduce)) {
    if (done.count(reduce->parent()) > 0) continue;
    const std::optional<PairReduction> found = pair_reduction(*reduce);
    if (!found || (!pinned && !fills_tiles(*found))) continue;
    const std::optional<std::vector<Instruction*>> operands = operands_of(*reduce->parent(), found->instructions);
    if (!operands) continue;
    reduce->replace_all_uses_with(outline({reduce}, found->instructions, *operands, "pairs", kPairs).fusion);
    changed = true;
  }
  if (changed) {
    module.sort_computations();
    remove_dead_code(module);
  }
  return changed;
}

}  // namespace sinter
