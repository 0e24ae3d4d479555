// batch_loops: a loop whose steps need nothing of each other, and only move, combine, multiply or reduce elements, is
// what it does on whole arrays: all that a step computes has one more dimension, the step.
//
//   body:  %x = f32[1,8] dynamic-slice(%xs, %t, 0)                    %sines = f32[50,8] sine(%xs)
//          %y = f32[1,8] sine(%x)                             =>
//          %ys = f32[50,8] dynamic-update-slice(%old, %y, %t, 0)
//
// jax.lax.map and scans that carry nothing are such loops. What they make is computed with what stands around them.
#include <algorithm>

#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/loops/steps_at_once.h"

namespace sinter {
namespace {

// Whether this is the array that a carry is filled in, as steps take it or hand it on.
bool is_filled_array(const CarriedLoop& loop, const WhileInfo& info, const Instruction& value) {
  if (const std::optional<size_t> carry = carry_read(value)) return info.carries[*carry].kind == CarryKind::kGeneral;
  return value.opcode == Opcode::kDynamicUpdateSlice && is_read_once(value, *loop.body().root());
}

bool batch(Instruction& instruction, const ComputationSet& effects) {
  const WhileInfo info = analyze_while(instruction);
  if (!info.trip_count || *info.trip_count == 0 || has_effect(instruction, effects)) return false;
  const CarriedLoop loop(instruction);
  if (!loop.is_taken_apart() || !loop.condition().root()->shape.is_scalar()) return false;
  // No value of all steps is larger than what the loop reads or gives anyway.
  int64_t largest = 0;
  for (size_t i = 0; i < loop.count(); ++i) {
    if (loop.init(i) == nullptr || loop.next(i) == nullptr) return false;
    largest = std::max(largest, loop.init(i)->shape.bytes());
  }
  StepsAtOnce steps(loop, info, largest);
  std::vector<const Instruction*> pieces;
  for (size_t i = 0; i < loop.count(); ++i) {
    if (info.carries[i].kind != CarryKind::kGeneral) continue;
    if (!steps.fills(i)) return false;
    pieces.push_back(loop.next(i)->operand(1));
  }
  for (const Instruction& value : loop.body().instructions()) {
    const bool is_part = &value == loop.body().root() || value.opcode == Opcode::kParameter;
    if (!is_part && !is_filled_array(loop, info, value) && !steps.can_make(value)) return false;
  }

  steps.make(pieces, instruction);
  GraphBuilder at(instruction);
  for (size_t i = 0; i < loop.count(); ++i) {
    Instruction* result = loop.init(i);
    const Carry& carry = info.carries[i];
    if (carry.kind == CarryKind::kInduction)
      result = at.integer(result->shape.dtype, carry.start + steps.steps() * carry.step);
    if (carry.kind == CarryKind::kGeneral) result = steps.filled(i, at);
    for (Instruction* read : loop.reads_after(i)) read->replace_all_uses_with(result);
  }
  return true;
}

}  // namespace

bool batch_loops(Module& module, const GraphPassOptions&) {
  const ComputationSet effects = computations_with_effects(module);
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= batch(*loop, effects);
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
