// What CUDA computes of 16-bit floats as they are; all other operations on them are computed in float, and rounded.
#pragma once

#include <string_view>

#include "ir/module/module.h"

namespace sinter {

// CUDA's function for the operation; empty: it has none. A float has more than twice the digits of a 16-bit one, and
// two more, so that a result rounded to float first has the same bits. Functions with `_rn` are never contracted.
constexpr std::string_view half_function(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
      return "__hadd_rn";
    case Opcode::kSubtract:
      return "__hsub_rn";
    case Opcode::kMultiply:
      return "__hmul_rn";
    case Opcode::kMaximum:
      return "__hmax_nan";
    case Opcode::kMinimum:
      return "__hmin_nan";
    case Opcode::kNegate:
      return "__hneg";
    case Opcode::kAbs:
      return "__habs";
    default:
      return {};
  }
}

}  // namespace sinter
