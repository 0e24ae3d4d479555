// simplify_tuples: elements of a tuple that is built here are read directly, and a tuple of all the elements of
// another tuple is that tuple. What a computation gives, and what a loop or conditional takes, is a tuple built for it.
//
//   %t = (f32[], s32[]) tuple(%a, %b)           uses of %g read %b
//   %g = s32[] get-tuple-element(%t), index=1   =>
//
//   %x = f32[] get-tuple-element(%w), index=0   uses of %t read %w
//   %y = s32[] get-tuple-element(%w), index=1   =>
//   %t = (f32[], s32[]) tuple(%x, %y)
#include <algorithm>

#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// What a tuple takes apart and puts together again, or nullptr.
Instruction* rebuilt_tuple(const Instruction& tuple) {
  if (tuple.operands().empty()) return nullptr;
  const Instruction* first = tuple.operand(0);
  if (first->opcode != Opcode::kGetTupleElement) return nullptr;
  Instruction* source = first->operand(0);
  if (!source->shape.same_type(tuple.shape)) return nullptr;
  for (size_t i = 0; i < tuple.operands().size(); ++i) {
    const Instruction* element = tuple.operand(i);
    if (element->opcode != Opcode::kGetTupleElement || element->operand(0) != source) return nullptr;
    if (element->attributes->tuple_index.value() != static_cast<int64_t>(i)) return nullptr;
  }
  return source;
}

// True where later stages read a tuple's elements off the instruction that builds it.
bool taken_apart(const Instruction& user) {
  return user.opcode == Opcode::kWhile || user.opcode == Opcode::kConditional;
}

bool is_opaque(const Instruction& value) {
  return value.shape.is_tuple() && value.opcode != Opcode::kTuple && value.opcode != Opcode::kOptBarrier;
}

// A tuple of the elements of `value`, before `position` (nullptr: at the end).
Instruction* rebuild(Computation& computation, Instruction* value, Instruction* position) {
  std::vector<Instruction*> elements;
  const auto add = [&](Opcode opcode, const Shape& shape, const std::vector<Instruction*>& operands) {
    return position == nullptr ? computation.add(opcode, shape, operands)
                               : computation.insert_before(position, opcode, shape, operands);
  };
  for (size_t i = 0; i < value->shape.elements.size(); ++i) {
    Instruction* element = add(Opcode::kGetTupleElement, value->shape.elements[i], {value});
    element->attributes.edit().tuple_index = static_cast<int64_t>(i);
    element->metadata = value->metadata;
    elements.push_back(element);
  }
  Instruction* tuple = add(Opcode::kTuple, value->shape, elements);
  tuple->metadata = value->metadata;
  return tuple;
}

bool rebuild_where_read(Computation& computation) {
  bool changed = false;
  for (Instruction& instruction : computation.instructions()) {
    if (!taken_apart(instruction)) continue;
    for (size_t i = 0; i < instruction.operands().size(); ++i) {
      if (!is_opaque(*instruction.operand(i))) continue;
      instruction.set_operand(i, rebuild(computation, instruction.operand(i), &instruction));
      changed = true;
    }
  }
  if (!is_opaque(*computation.root())) return changed;
  computation.set_root(rebuild(computation, computation.root(), nullptr));
  return true;
}

}  // namespace

bool simplify_tuples(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    // Operands come first, so nested tuples resolve in one sweep.
    for (Instruction& instruction : computation->instructions()) {
      const bool used = !instruction.users().empty() || computation->root() == &instruction;
      if (!used) continue;
      Instruction* value = nullptr;
      if (instruction.opcode == Opcode::kGetTupleElement && instruction.operand(0)->opcode == Opcode::kTuple) {
        value = instruction.operand(0)->operand(static_cast<size_t>(instruction.attributes->tuple_index.value()));
      } else if (instruction.opcode == Opcode::kTuple && computation->root() != &instruction) {
        const auto& users = instruction.users();
        const bool read = std::any_of(users.begin(), users.end(), [](const auto* user) { return taken_apart(*user); });
        value = read ? nullptr : rebuilt_tuple(instruction);
      }
      if (value == nullptr) continue;
      instruction.replace_all_uses_with(value);
      changed = true;
    }
    changed |= rebuild_where_read(*computation);
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
