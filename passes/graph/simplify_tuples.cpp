// simplify_tuples: elements of a tuple that is built here are read directly, and a tuple of all the elements of
// another tuple is that tuple, unless it is a root, which stays a tuple (flatten_tuples).
//
//   %t = (f32[], s32[]) tuple(%a, %b)           uses of %g read %b
//   %g = s32[] get-tuple-element(%t), index=1   =>
//
//   %x = f32[] get-tuple-element(%w), index=0   uses of %t read %w
//   %y = s32[] get-tuple-element(%w), index=1   =>
//   %t = (f32[], s32[]) tuple(%x, %y)
#include "passes/graph/passes.h"
#include "passes/graph/rewrite.h"

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
    if (element->attributes.tuple_index.value() != static_cast<int64_t>(i)) return nullptr;
  }
  return source;
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
        value = instruction.operand(0)->operand(static_cast<size_t>(instruction.attributes.tuple_index.value()));
      } else if (instruction.opcode == Opcode::kTuple && computation->root() != &instruction) {
        value = rebuilt_tuple(instruction);
      }
      if (value == nullptr) continue;
      instruction.replace_all_uses_with(value);
      changed = true;
    }
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
