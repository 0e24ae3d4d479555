// Operations that move elements, or compute each by itself: what a stage of products takes along with them.
#pragma once

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"

namespace sinter {

// Moves elements of its one operand, or spreads them.
inline bool is_view(const Instruction& value) {
  switch (value.opcode) {
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kSlice:
    case Opcode::kReverse:
      return true;
    default:
      return false;
  }
}

// What it moves elements of.
inline const Instruction& viewed(const Instruction& value) {
  const Instruction* source = &value;
  while (is_view(*source)) source = source->operand(0);
  return *source;
}

// One number: other constants are arrays in memory.
inline bool is_number(const Instruction& value) {
  return value.opcode == Opcode::kConstant && (value.shape.is_scalar() || value.literal.is_splat());
}
// Or the element's own place.
inline bool is_source(const Instruction& value) { return value.opcode == Opcode::kIota || is_number(value); }

// The same operation for each element, none of a library's.
inline bool is_elementwise(const Instruction& value) {
  return value.opcode != Opcode::kCustomCall && family_of(value) == Family::kElementwise;
}

}  // namespace sinter
