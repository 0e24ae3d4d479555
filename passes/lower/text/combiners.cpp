#include "passes/lower/text/combiners.h"

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/emittable.h"

namespace sinter {

std::string combine_functor(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
      return "Add";
    case Opcode::kMultiply:
      return "Multiply";
    case Opcode::kMaximum:
      return "Maximum";
    case Opcode::kMinimum:
      return "Minimum";
    case Opcode::kAnd:
      return "And";
    case Opcode::kOr:
      return "Or";
    default:
      return "Xor";
  }
}

Literal identity_of(Opcode opcode, DType dtype) {
  // Sums begin with +0, as anybody would write them.
  if (is_float(dtype) && opcode == Opcode::kAdd) return real_literal(dtype, 0);
  if (is_complex(dtype)) return real_literal(dtype, opcode == Opcode::kMultiply ? 1 : 0);
  return *neutral_value(opcode, dtype);
}

bool is_identity(Opcode opcode, const Literal& init) {
  const DType dtype = init.shape().dtype;
  if (!is_float(dtype)) return init.same_value(identity_of(opcode, dtype));
  const DType type = accumulator_type(dtype);
  const Literal wide = type == dtype ? init : real_literal(type, init.real_at(0));
  return wide.same_value(identity_of(opcode, type));
}

std::string accumulator_name(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
      return "sum";
    case Opcode::kMultiply:
      return "product";
    case Opcode::kMaximum:
      return "largest";
    case Opcode::kMinimum:
      return "smallest";
    default:
      return "combined";
  }
}

}  // namespace sinter
