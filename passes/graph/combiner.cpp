#include "passes/graph/combiner.h"

#include <cmath>

#include "passes/graph/rewrite.h"

namespace sinter {

std::optional<Opcode> simple_combiner(const Computation& combiner) {
  const Instruction* root = combiner.root();
  if (root->operands().size() != 2 || combiner.parameters().size() != 2) return std::nullopt;
  switch (root->opcode) {
    case Opcode::kAdd:
    case Opcode::kMultiply:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
      break;
    default:
      return std::nullopt;
  }
  const Instruction* a = root->operand(0);
  const Instruction* b = root->operand(1);
  if (a == b || a->opcode != Opcode::kParameter || b->opcode != Opcode::kParameter) return std::nullopt;
  return root->opcode;
}

namespace {

std::optional<Literal> neutral_real(Opcode operation, DType dtype) {
  const double value = operation == Opcode::kAdd        ? -0.0
                       : operation == Opcode::kMultiply ? 1
                       : operation == Opcode::kMaximum  ? -INFINITY
                                                        : INFINITY;
  Literal literal = real_literal(dtype, value);
  if (std::isnan(literal.real_at(0))) return std::nullopt;
  return literal;
}

}  // namespace

std::optional<Literal> neutral_value(Opcode operation, DType dtype) {
  if (is_float(dtype)) return neutral_real(operation, dtype);
  if (!is_integer(dtype) && dtype != DType::kPred) return std::nullopt;
  switch (operation) {
    case Opcode::kMaximum:
      return integer_literal(dtype, integer_min(dtype));
    case Opcode::kMinimum:
      return integer_literal(dtype, dtype == DType::kU64 ? -1 : integer_max(dtype));
    case Opcode::kMultiply:
      return integer_literal(dtype, 1);
    case Opcode::kAnd:
      return integer_literal(dtype, dtype == DType::kPred ? 1 : -1);
    default:
      return integer_literal(dtype, 0);
  }
}

std::optional<Literal> part_beginning(Opcode combiner, DType dtype, const Instruction& initial) {
  const std::optional<double> value = splat_real(initial);
  if (combiner == Opcode::kAdd && value == 0 && !std::signbit(*value)) return real_literal(dtype, 0);
  return neutral_value(combiner, dtype);
}

}  // namespace sinter
