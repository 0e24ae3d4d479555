#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/constants.h"

#include <cmath>

namespace sinter {

namespace {

// The opcode of one commutative operation of these two parameters.
std::optional<Opcode> simple_operation(const Instruction& value, int64_t first, int64_t second) {
  switch (value.opcode) {
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
  const auto is_parameter = [&](size_t side, int64_t number) {
    const Instruction& operand = *value.operand(side);
    return operand.opcode == Opcode::kParameter && operand.parameter_number == number;
  };
  const bool in_order = is_parameter(0, first) && is_parameter(1, second);
  if (!in_order && !(is_parameter(0, second) && is_parameter(1, first))) return std::nullopt;
  return value.opcode;
}

}  // namespace

std::optional<Opcode> simple_combiner(const Computation& combiner) {
  if (combiner.parameters().size() != 2) return std::nullopt;
  return simple_operation(*combiner.root(), 0, 1);
}

std::vector<Opcode> simple_combiners(const Computation& combiner, size_t count) {
  std::vector<Opcode> operations;
  if (count == 1) {
    if (const std::optional<Opcode> operation = simple_combiner(combiner)) operations.push_back(*operation);
    return operations;
  }
  const Instruction* root = combiner.root();
  if (root->opcode != Opcode::kTuple || root->operands().size() != count) return {};
  for (size_t i = 0; i < count; ++i) {
    const auto first = static_cast<int64_t>(i), second = static_cast<int64_t>(i + count);
    const std::optional<Opcode> operation = simple_operation(*root->operand(i), first, second);
    if (!operation) return {};
    operations.push_back(*operation);
  }
  return operations;
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

namespace {

// 0 where complex numbers are added, 1 where they are multiplied: as real sums, they do not begin with -0.
std::optional<Literal> neutral_complex(Opcode operation, DType dtype) {
  if (operation != Opcode::kAdd && operation != Opcode::kMultiply) return std::nullopt;
  return real_literal(dtype, operation == Opcode::kMultiply ? 1 : 0);
}

}  // namespace

std::optional<Literal> part_beginning(Opcode combiner, DType dtype, const Instruction& initial) {
  if (is_complex(dtype)) {
    const std::optional<Literal> nothing = neutral_complex(combiner, dtype), begin = splat_value(initial);
    return begin && nothing && begin->same_value(*nothing) ? nothing : std::nullopt;
  }
  const std::optional<double> value = splat_real(initial);
  if (combiner == Opcode::kAdd && value == 0 && !std::signbit(*value)) return real_literal(dtype, 0);
  return neutral_value(combiner, dtype);
}

std::optional<Literal> neutral_beginning(Opcode combiner, DType dtype, const Instruction& initial) {
  const std::optional<Literal> begin = splat_value(initial), neutral = part_beginning(combiner, dtype, initial);
  return begin && neutral && begin->same_value(*neutral) ? begin : std::nullopt;
}

}  // namespace sinter
