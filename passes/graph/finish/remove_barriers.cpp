// remove_barriers: opt-barrier, behind which nothing is computed again that was before it, is taken away once no pass
// looks for what is computed twice. What it hands on are the values that it is given.
//
//   %b = (f32[512]) opt-barrier(tuple(%x))     =>   uses of %x
//   %y = f32[512] get-tuple-element(%b), index=0
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {

bool remove_barriers(Module& module, const GraphPassOptions&) {
  const std::vector<Instruction*> barriers = instructions_of(module, Opcode::kOptBarrier);
  for (Instruction* barrier : barriers) {
    Instruction* given = barrier->operand(0);
    barrier->replace_all_uses_with(given);
    if (given->opcode != Opcode::kTuple) continue;
    const std::vector<Instruction*> users(given->users().begin(), given->users().end());
    for (Instruction* user : users) {
      if (user->opcode == Opcode::kGetTupleElement)
        user->replace_all_uses_with(given->operand(static_cast<size_t>(*user->attributes->tuple_index)));
    }
  }
  if (!barriers.empty()) remove_dead_code(module);
  return !barriers.empty();
}

}  // namespace sinter
