// Rules of simplify: identities of numbers. Floating point keeps its bits: x + 0 is not x (for x = -0), x + -0 is.
#include <cmath>
#include <optional>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

using Wide = __int128;

bool is_integer_value(const Instruction& value) { return is_integer(value.shape.dtype); }

bool is_real(const Instruction& value, double number) {
  const std::optional<double> real = splat_real(value);
  return real && *real == number && std::signbit(*real) == std::signbit(number);
}

bool is_number(const Instruction& value, int64_t number) {
  return is_integer_value(value) ? splat_integer(value) == number : is_real(value, static_cast<double>(number));
}

Instruction* become_integer(Instruction& instruction, int64_t value) {
  become_splat(instruction, integer_literal(instruction.shape.dtype, value));
  return &instruction;
}

// (x + c1) + c2 = x + (c1 + c2), for integers; subtraction of a constant is addition of its negative.
Instruction* merge_offsets(Instruction& sum) {
  if (!is_integer_value(sum)) return nullptr;
  const auto offset_of = [](const Instruction& value, size_t slot) -> std::optional<Wide> {
    const std::optional<int64_t> constant = splat_integer(*value.operand(slot));
    if (!constant) return {};
    return value.opcode == Opcode::kSubtract ? -Wide{*constant} : Wide{*constant};
  };
  const auto is_sum = [](const Instruction& value) {
    return value.opcode == Opcode::kAdd || value.opcode == Opcode::kSubtract;
  };
  const auto variable_slot = [&](const Instruction& value) -> std::optional<size_t> {
    if (splat_integer(*value.operand(1))) return 0;
    if (value.opcode == Opcode::kAdd && splat_integer(*value.operand(0))) return 1;
    return {};
  };
  const std::optional<size_t> outer = variable_slot(sum);
  if (!outer) return nullptr;
  Instruction* inner = sum.operand(*outer);
  if (!is_sum(*inner)) return nullptr;
  const std::optional<size_t> slot = variable_slot(*inner);
  if (!slot || splat_integer(*inner->operand(*slot))) return nullptr;
  const int64_t total = wrap_integer(sum.shape.dtype, *offset_of(sum, 1 - *outer) + *offset_of(*inner, 1 - *slot));
  Instruction* variable = inner->operand(*slot);
  Instruction* constant =
      insert_broadcast_like(sum, insert_scalar(sum, integer_literal(sum.shape.dtype, total)), sum.shape);
  become(sum, Opcode::kAdd, {variable, constant});
  return &sum;
}

// Whether no element of a float value is -0: of such, x + 0.0 is x.
bool is_never_negative_zero(const Instruction& value) {
  const Instruction* element = &value;
  for (int reach = 1; reach < kReach && (element->opcode == Opcode::kBroadcast || element->opcode == Opcode::kReshape);
       ++reach) {
    element = element->operand(0);
  }
  switch (element->opcode) {
    case Opcode::kAbs:
    case Opcode::kExponential:
      return true;
    case Opcode::kMultiply:
      return element->operand(0) == element->operand(1);
    case Opcode::kMaximum:
      return is_real(*element->operand(0), 0.0) || is_real(*element->operand(1), 0.0);
    case Opcode::kConvert:
      return !is_float(element->operand(0)->shape.dtype) && !is_complex(element->operand(0)->shape.dtype);
    case Opcode::kReduce:  // a sum that begins at +0
      return element->operands().size() == 2 && is_real(*element->operand(1), 0.0) &&
             simple_combiner(**element->attributes->to_apply) == Opcode::kAdd;
    default:
      return false;
  }
}

Instruction* simplify_add(Instruction& add) {
  Instruction* a = add.operand(0);
  Instruction* b = add.operand(1);
  if (add.shape.dtype == DType::kPred) {
    become(add, Opcode::kOr, {a, b});
    return &add;
  }
  const auto is_zero = [&](const Instruction& value) {
    return is_integer_value(value) ? splat_integer(value) == 0 : is_real(value, -0.0);
  };
  if (is_zero(*b) || (is_real(*b, 0.0) && is_never_negative_zero(*a))) return a;
  if (is_zero(*a) || (is_real(*a, 0.0) && is_never_negative_zero(*b))) return b;
  return merge_offsets(add);
}

Instruction* simplify_subtract(Instruction& subtract) {
  Instruction* a = subtract.operand(0);
  Instruction* b = subtract.operand(1);
  if (is_number(*b, 0)) return a;
  if (!is_integer_value(subtract)) return nullptr;
  if (a == b) return become_integer(subtract, 0);
  if (splat_integer(*a) == 0) {
    become(subtract, Opcode::kNegate, {b});
    return &subtract;
  }
  return merge_offsets(subtract);
}

// Whether one operand slot reads it, and nothing else.
bool is_only_read(const Instruction& value) { return value.users().size() == 1 && value.parent()->root() != &value; }

// The power of two that every element is, if it is one from 2^-20 to 1/2.
std::optional<double> small_power(const Instruction& value) {
  const std::optional<double> number = splat_real(value);
  int exponent = 0;
  if (!number || std::frexp(*number, &exponent) != 0.5 || exponent > 0 || exponent < -19) return {};
  return number;
}

// A product or quotient by a constant that is no larger than its operand: nothing overflows, whatever it is scaled by.
// The constant's slot.
std::optional<size_t> constant_scale(const Instruction& term) {
  const auto within = [&](size_t slot, double least, double most) {
    const std::optional<double> number = splat_real(*term.operand(slot));
    return number && std::fabs(*number) >= least && std::fabs(*number) <= most;
  };
  if (term.opcode == Opcode::kDivide && within(1, 1, 0x1p40)) return 1;
  if (term.opcode != Opcode::kMultiply) return {};
  if (within(1, 0x1p-40, 1)) return 1;
  return within(0, 0x1p-40, 1) ? std::optional<size_t>(0) : std::nullopt;
}

// (c - x / d) * 2^-k = c * 2^-k - x / (d * 2^k), and so for sums and products: scaling by a power of two rounds nothing
// but what becomes denormal, and beside c that is nothing.
Instruction* scale_terms(Instruction& product) {
  const DType dtype = product.shape.dtype;
  if (dtype != DType::kF32 && dtype != DType::kF64) return nullptr;
  for (const size_t slot : {size_t{0}, size_t{1}}) {
    const std::optional<double> power = small_power(*product.operand(slot));
    Instruction* sum = product.operand(1 - slot);
    if (!power || !is_only_read(*sum) || (sum->opcode != Opcode::kAdd && sum->opcode != Opcode::kSubtract)) continue;
    for (const size_t place : {size_t{0}, size_t{1}}) {
      const std::optional<double> constant = splat_real(*sum->operand(place));
      Instruction* term = sum->operand(1 - place);
      const std::optional<size_t> scale = constant_scale(*term);
      if (!constant || !scale || !is_only_read(*term)) continue;
      if (std::fabs(*constant) < 0x1p-40 || std::fabs(*constant) > 0x1p40) continue;
      const auto scaled = [&](Instruction& position, double number) {
        return insert_broadcast_like(position, insert_scalar(position, real_literal(dtype, number)), sum->shape);
      };
      const double by = *splat_real(*term->operand(*scale));
      std::vector<Instruction*> factors = term->operands();
      factors[*scale] = scaled(*term, term->opcode == Opcode::kDivide ? by / *power : by * *power);
      become(*term, term->opcode, factors);
      std::vector<Instruction*> terms = sum->operands();
      terms[place] = scaled(*sum, *constant * *power);
      become(*sum, sum->opcode, terms);
      return sum;
    }
  }
  return nullptr;
}

Instruction* simplify_multiply(Instruction& multiply) {
  Instruction* a = multiply.operand(0);
  Instruction* b = multiply.operand(1);
  if (multiply.shape.dtype == DType::kPred) {
    become(multiply, Opcode::kAnd, {a, b});
    return &multiply;
  }
  if (is_number(*b, 1)) return a;
  if (is_number(*a, 1)) return b;
  if (!is_integer_value(multiply)) return scale_terms(multiply);
  if (splat_integer(*a) == 0 || splat_integer(*b) == 0) return become_integer(multiply, 0);
  return nullptr;
}

Instruction* simplify_remainder(Instruction& remainder) {
  if (!is_integer_value(remainder)) return nullptr;
  Instruction* a = remainder.operand(0);
  const std::optional<int64_t> divisor = splat_integer(*remainder.operand(1));
  if (divisor == 1) return become_integer(remainder, 0);
  // (x % c) % c
  if (a->opcode == Opcode::kRemainder && divisor && splat_integer(*a->operand(1)) == divisor) return a;
  return nullptr;
}

bool is_nan(const Instruction& value) {
  if (!value.shape.is_array() || !is_float(value.shape.dtype)) return false;
  const std::optional<double> number = splat_real(value);
  return number && std::isnan(*number);
}

// Between bounds of which one is NaN.
Instruction* simplify_clamp(Instruction& clamp) {
  for (const size_t bound : {size_t{0}, size_t{2}}) {
    if (!is_nan(*clamp.operand(bound))) continue;
    become_splat(clamp, *splat_value(*clamp.operand(bound)));
    return &clamp;
  }
  return nullptr;
}

Instruction* simplify_extremum(Instruction& extremum) {
  Instruction* a = extremum.operand(0);
  Instruction* b = extremum.operand(1);
  if (a == b) return a;
  const bool is_maximum = extremum.opcode == Opcode::kMaximum;
  const DType dtype = extremum.shape.dtype;
  if (is_float(dtype)) {
    // maximum(NaN, -inf) is NaN, so this holds for every x; maximum(x, +inf) is not +inf for every x.
    const double neutral = is_maximum ? -INFINITY : INFINITY;
    if (is_real(*b, neutral) || is_nan(*a)) return a;
    if (is_nan(*b)) return b;
    return is_real(*a, neutral) ? b : nullptr;
  }
  if (dtype == DType::kPred) {
    become(extremum, is_maximum ? Opcode::kOr : Opcode::kAnd, {a, b});
    return &extremum;
  }
  if (!is_integer(dtype)) return nullptr;
  const int64_t lowest = integer_min(dtype);
  const int64_t highest = dtype == DType::kU64 ? -1 : integer_max(dtype);  // all ones, as integer_at gives it
  for (const size_t slot : {size_t{0}, size_t{1}}) {
    const std::optional<int64_t> constant = splat_integer(*extremum.operand(slot));
    if (!constant) continue;
    if (*constant == (is_maximum ? lowest : highest)) return extremum.operand(1 - slot);
    if (*constant == (is_maximum ? highest : lowest)) return extremum.operand(slot);
  }
  return nullptr;
}

Instruction* simplify_shift(Instruction& shift) {
  return splat_integer(*shift.operand(1)) == 0 ? shift.operand(0) : nullptr;
}

// abs(abs(x)), abs(negate(x)); both hold for the smallest integer too.
Instruction* simplify_abs(Instruction& abs) {
  Instruction* a = abs.operand(0);
  if (is_complex(a->shape.dtype)) return nullptr;
  if (a->opcode == Opcode::kAbs && !is_complex(a->operand(0)->shape.dtype)) return a;
  if (a->opcode == Opcode::kNegate) {
    become(abs, Opcode::kAbs, {a->operand(0)});
    return &abs;
  }
  return nullptr;
}

}  // namespace

Instruction* simplify_arithmetic(Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kAdd:
      return simplify_add(instruction);
    case Opcode::kSubtract:
      return simplify_subtract(instruction);
    case Opcode::kMultiply:
      return simplify_multiply(instruction);
    case Opcode::kDivide:
      return is_number(*instruction.operand(1), 1) ? instruction.operand(0) : nullptr;
    case Opcode::kRemainder:
      return simplify_remainder(instruction);
    case Opcode::kMaximum:
    case Opcode::kMinimum:
      return simplify_extremum(instruction);
    case Opcode::kClamp:
      return simplify_clamp(instruction);
    case Opcode::kNegate:
      return instruction.operand(0)->opcode == Opcode::kNegate ? instruction.operand(0)->operand(0) : nullptr;
    case Opcode::kAbs:
      return simplify_abs(instruction);
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightLogical:
    case Opcode::kShiftRightArithmetic:
      return simplify_shift(instruction);
    default:
      return nullptr;
  }
}

}  // namespace sinter
