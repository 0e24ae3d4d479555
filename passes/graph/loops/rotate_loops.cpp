// rotate_loops: where a loop's condition asks for what is reduced of large arrays, each step says whether there is
// another one; so the kernel that makes the arrays can reduce them and answer, and the reduction is made in parts like
// any other of a step.
//
//   condition:  any(greater(state, limit))      before the loop:  more = any(greater(start, limit))
//   body:       next = f(state)            =>   condition:        more
//                                               body:             next = f(state), more = any(greater(next, limit))
//
// Loops whose lanes run on their own stay (lane_loop.h), and so do those that reduce no more than a block has threads,
// which one block may run.
#include <algorithm>

#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/operations/lane_loop.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

bool reduces_much(const Instruction& instruction) {
  const bool reduces = instruction.opcode == Opcode::kReduce || instruction.opcode == Opcode::kDot;
  return reduces && std::ranges::any_of(instruction.operands(), [](const Instruction* operand) {
           return operand->shape.element_count() > kMostThreads;
         });
}

// Whether the condition depends on such a reduction, of its own or of a step.
bool asks_for_much(const CarriedLoop& loop) {
  InstructionSet seen = {loop.condition().root()};
  std::vector<const Instruction*> open = {loop.condition().root()};
  const auto need = [&](const Instruction* value) {
    if (value != nullptr && seen.insert(value).second) open.push_back(value);
  };
  while (!open.empty()) {
    const Instruction* value = open.back();
    open.pop_back();
    if (reduces_much(*value)) return true;
    if (const std::optional<size_t> carry = carry_read(*value)) need(loop.next(*carry));
    for (const Instruction* operand : value->operands()) need(operand);
  }
  return false;
}

// Bodies of loops and branches belong to one instruction alone, but the condition's instructions are needed twice.
bool owns_computations(const Instruction& instruction) {
  return !instruction.called_computations().empty() && instruction.opcode != Opcode::kReduce;
}

bool rotate(Instruction& instruction, const ComputationSet& with_effects) {
  const CarriedLoop loop(instruction);
  const std::list<Instruction>& condition = loop.condition().instructions();
  // A condition that only reads a carry is that of a rotated loop.
  const bool copied = std::ranges::none_of(condition, owns_computations) && with_effects.count(&loop.condition()) == 0;
  if (!can_add_carries(loop) || !copied || carry_read(*loop.condition().root()) ||
      lane_predicate(instruction) != nullptr || !asks_for_much(loop))
    return false;
  Instruction* before = inline_before(instruction, loop.condition(), {instruction.operand(0)}, false);
  add_invariants(loop, {before});
  Instruction& next = *loop.body().root();
  Instruction* made = insert_like(next, Opcode::kTuple, next.shape, next.operands());
  Instruction* more = inline_before(next, loop.condition(), {made}, true);
  next.set_operand(loop.count() - 1, more);
  Instruction* state = loop.state(loop.condition());
  loop.condition().set_root(insert_like(*loop.condition().root(), Opcode::kGetTupleElement, more->shape, {state}));
  loop.condition().root()->attributes.edit().tuple_index = std::ssize(instruction.shape.elements) - 1;
  return true;
}

}  // namespace

bool rotate_loops(Module& module, const GraphPassOptions& options) {
  const ComputationSet with_effects = computations_with_effects(module);
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= rotate(*loop, with_effects);
  if (changed) {
    // The condition reads elements of a tuple of the new state.
    simplify_tuples(module, options);
    remove_dead_code(module);
    module.sort_computations();
  }
  return changed;
}

}  // namespace sinter
