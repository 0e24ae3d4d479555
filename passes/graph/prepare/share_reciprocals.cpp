// share_reciprocals: with --allow-reassociation, many elements that are divided by one are multiplied by its
// reciprocal.
//
//   %y = f32[64,128] divide(%x, %ds)                 =>  %r = f32[64] divide(1, %d)
//   %ds = f32[64,128] broadcast(%d), dimensions={0}      %y = f32[64,128] multiply(%x, broadcast(%r))
//
// Divisions by constants stay: they are made exact in no more time (exact_division.h).
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {

bool share_reciprocals(Module& module, const GraphPassOptions& options) {
  if (!options.reassociate) return false;
  bool changed = false;
  for (Instruction* division : instructions_of(module, Opcode::kDivide)) {
    const DType dtype = division->shape.dtype;
    if (dtype != DType::kF32 && dtype != DType::kF64) continue;
    const Instruction* spread = division->operand(1);
    if (spread->opcode != Opcode::kBroadcast || splat_value(*spread)) continue;
    Instruction* divisor = spread->operand(0);
    if (divisor->shape.element_count() >= spread->shape.element_count()) continue;
    GraphBuilder build(*division);
    Instruction* reciprocal = build.make(Opcode::kDivide, {build.real(dtype, 1, divisor->shape.dims), divisor});
    Instruction* factors = build.broadcast(reciprocal, spread->shape.dims, *spread->attributes->dimensions);
    become(*division, Opcode::kMultiply, {division->operand(0), factors});
    changed = true;
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
