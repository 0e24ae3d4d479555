// Operations whose elements are those of some operands, at other places, chosen, or with another sign: what is known of
// all elements of these operands, and of their negatives, holds for theirs.
#pragma once

#include <optional>
#include <utility>

#include "ir/module/module.h"

namespace sinter {

// Which operands, from the first to before the second number; nullopt: the operation computes other elements.
inline std::optional<std::pair<size_t, size_t>> chosen_operands(const Instruction& value) {
  switch (value.opcode) {
    case Opcode::kAbs:
    case Opcode::kBroadcast:
    case Opcode::kCopy:
    case Opcode::kDynamicSlice:
    case Opcode::kGather:
    case Opcode::kNegate:
    case Opcode::kReshape:
    case Opcode::kReverse:
    case Opcode::kSlice:
    case Opcode::kTranspose:
      return std::pair<size_t, size_t>(0, 1);
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kPad:
      return std::pair<size_t, size_t>(0, 2);
    case Opcode::kClamp:
    case Opcode::kConcatenate:
      return std::pair<size_t, size_t>(0, value.operands().size());
    case Opcode::kSelect:
      return std::pair<size_t, size_t>(1, 3);
    default:
      return std::nullopt;
  }
}

}  // namespace sinter
