// Rules of simplify: predicates and bits, selections and comparisons.
#include <optional>
#include <string>
#include <vector>

#include "ir/module/device_functions.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

bool is_logical(const Instruction& value) { return is_integer(value.shape.dtype) || value.shape.dtype == DType::kPred; }

// true, or all bits set.
bool is_ones(const Instruction& value) {
  const std::optional<int64_t> number = splat_integer(value);
  if (!number) return false;
  const DType dtype = value.shape.dtype;
  return dtype == DType::kPred ? *number == 1 : wrap_integer(dtype, *number) == wrap_integer(dtype, -1);
}

bool is_zero(const Instruction& value) { return splat_integer(value) == 0; }

Instruction* become_pred(Instruction& instruction, bool value) {
  become_splat(instruction, integer_literal(DType::kPred, value ? 1 : 0));
  return &instruction;
}

// x < y, of which `other`, x != y, follows.
bool implies(const Instruction& strict, const Instruction& other) {
  if (strict.opcode != Opcode::kCompare || other.opcode != Opcode::kCompare) return false;
  const std::string& direction = strict.attributes->direction.value();
  return (direction == "LT" || direction == "GT") && other.attributes->direction.value() == "NE" &&
         strict.operands() == other.operands() && strict.attributes->comparison_type != "TOTALORDER" &&
         other.attributes->comparison_type != "TOTALORDER";
}

Instruction* simplify_and_or(Instruction& instruction) {
  if (!is_logical(instruction)) return nullptr;
  Instruction* a = instruction.operand(0);
  Instruction* b = instruction.operand(1);
  if (a == b) return a;
  const bool is_and = instruction.opcode == Opcode::kAnd;
  for (const size_t slot : {size_t{0}, size_t{1}}) {
    Instruction* one = instruction.operand(slot);
    Instruction* other = instruction.operand(1 - slot);
    if (is_and ? is_ones(*one) : is_zero(*one)) return other;
    if (is_and ? is_zero(*one) : is_ones(*one)) return one;
    if (is_and && implies(*one, *other)) return one;
    if (one->opcode == Opcode::kNot && one->operand(0) == other) {
      const DType dtype = instruction.shape.dtype;
      const int64_t ones = dtype == DType::kPred ? 1 : wrap_integer(dtype, -1);
      become_splat(instruction, integer_literal(dtype, is_and ? 0 : ones));
      return &instruction;
    }
  }
  return nullptr;
}

Instruction* simplify_xor(Instruction& instruction) {
  if (!is_logical(instruction)) return nullptr;
  Instruction* a = instruction.operand(0);
  Instruction* b = instruction.operand(1);
  if (a == b) {
    become_splat(instruction, integer_literal(instruction.shape.dtype, 0));
    return &instruction;
  }
  if (is_zero(*b)) return a;
  return is_zero(*a) ? b : nullptr;
}

const char* opposite_direction(const std::string& direction) {
  if (direction == "EQ") return "NE";
  if (direction == "NE") return "EQ";
  if (direction == "LT") return "GE";
  if (direction == "GE") return "LT";
  if (direction == "GT") return "LE";
  return "GT";
}

Instruction* simplify_not(Instruction& instruction) {
  Instruction* a = instruction.operand(0);
  if (a->opcode == Opcode::kNot) return a->operand(0);
  if (a->opcode != Opcode::kCompare || a->users().size() != 1) return nullptr;
  // With a NaN, not (x < y) is not x >= y; equality and its opposite are.
  const std::string& direction = a->attributes->direction.value();
  if (!is_logical(*a->operand(0)) && direction != "EQ" && direction != "NE") return nullptr;
  Attributes attributes = a->attributes;
  attributes.direction = opposite_direction(direction);
  become(instruction, Opcode::kCompare, a->operands(), std::move(attributes));
  return &instruction;
}

// Lets `slot` of `user`, which counts only where `choice` is `taken`, not ask for that again; nor what is computed for
// it alone. True if it did.
bool use_known(Instruction& user, size_t slot, const Instruction* choice, bool taken, int reach) {
  Instruction* value = user.operand(slot);
  if (value->opcode == Opcode::kSelect && value->operand(0) == choice) {
    user.set_operand(slot, value->operand(taken ? 1 : 2));
    return true;
  }
  const bool alone = value->users().size() == 1 && value->parent()->root() != value;
  if (reach == 0 || !alone || family_of(*value) != Family::kElementwise) return false;
  bool changed = false;
  for (size_t i = 0; i < value->operands().size(); ++i) changed |= use_known(*value, i, choice, taken, reach - 1);
  return changed;
}

Instruction* simplify_select(Instruction& select) {
  Instruction* choice = select.operand(0);
  Instruction* on_true = select.operand(1);
  Instruction* on_false = select.operand(2);
  if (on_true == on_false) return on_true;
  if (const std::optional<int64_t> known = splat_integer(*choice)) return *known != 0 ? on_true : on_false;
  if (choice->opcode == Opcode::kNot) {
    become(select, Opcode::kSelect, {choice->operand(0), on_false, on_true});
    return &select;
  }
  const bool changed_true = use_known(select, 1, choice, true, kReach);
  const bool changed_false = use_known(select, 2, choice, false, kReach);
  if (changed_true || changed_false) return &select;
  if (select.shape.dtype != DType::kPred || !choice->shape.same_type(select.shape)) return nullptr;
  if (is_ones(*on_true) && is_zero(*on_false)) return choice;
  if (is_zero(*on_true) && is_ones(*on_false)) {
    become(select, Opcode::kNot, {choice});
    return &select;
  }
  return nullptr;
}

template <typename Number>
bool holds(const std::string& direction, Number a, Number b) {
  if (direction == "EQ") return a == b;
  if (direction == "NE") return a != b;
  if (direction == "LT") return a < b;
  if (direction == "LE") return a <= b;
  if (direction == "GT") return a > b;
  return a >= b;
}

// One of two numbers, as a predicate says.
template <typename Number>
struct Choice {
  Instruction* pred;
  Number if_true, if_false;
};

// convert(p), or select(p, a, b) of the numbers a and b.
template <typename Number>
std::optional<Choice<Number>> choice_of(Instruction& value, std::optional<Number> (*number)(const Instruction&)) {
  if (value.opcode == Opcode::kConvert && value.operand(0)->shape.dtype == DType::kPred)
    return Choice<Number>{value.operand(0), 1, 0};
  if (value.opcode != Opcode::kSelect || value.operand(0)->shape.dims != value.shape.dims) return std::nullopt;
  const std::optional<Number> if_true = number(*value.operand(1)), if_false = number(*value.operand(2));
  if (!if_true || !if_false) return std::nullopt;
  return Choice<Number>{value.operand(0), *if_true, *if_false};
}

// Before `position`, the elements of `array` as `view` has those of `shown`, by way of reshapes, broadcasts,
// transposes.
Instruction* seen_through(const Instruction& view, const Instruction& shown, Instruction* array,
                          Instruction& position) {
  if (&view == &shown) return array;
  Instruction* operand = seen_through(*view.operand(0), shown, array, position);
  return insert_like(position, view.opcode, Shape::array(array->shape.dtype, view.shape.dims), {operand},
                     view.attributes);
}

bool is_view(const Instruction& value) {
  return value.opcode == Opcode::kReshape || value.opcode == Opcode::kBroadcast || value.opcode == Opcode::kTranspose;
}

// compare of such a number and another: p, its opposite, or a constant. jnp.tril(jnp.ones(...)) > 0 is a mask.
template <typename Number>
Instruction* simplify_compare_of_choice(Instruction& compare, std::optional<Number> (*number)(const Instruction&)) {
  const std::optional<Number> constant = number(*compare.operand(1));
  if (!constant) return nullptr;
  Instruction* chosen = compare.operand(0);
  while (is_view(*chosen)) chosen = chosen->operand(0);
  const std::optional<Choice<Number>> choice = choice_of(*chosen, number);
  if (!choice) return nullptr;
  const std::string& direction = compare.attributes->direction.value();
  const bool if_true = holds(direction, choice->if_true, *constant);
  const bool if_false = holds(direction, choice->if_false, *constant);
  if (if_false == if_true) return become_pred(compare, if_true);
  Instruction* pred = seen_through(*compare.operand(0), *chosen, choice->pred, compare);
  if (if_true) return pred;
  become(compare, Opcode::kNot, {pred});
  return &compare;
}

Instruction* simplify_compare(Instruction& compare) {
  Instruction* a = compare.operand(0);
  const std::string& direction = compare.attributes->direction.value();
  // A magnitude is never below zero; NaN is below nothing. (That of the smallest integer is.)
  if (a->opcode == Opcode::kAbs && is_float(a->shape.dtype) && direction == "LT") {
    const std::optional<double> bound = splat_real(*compare.operand(1));
    if (bound && *bound <= 0) return become_pred(compare, false);
  }
  if (Instruction* order = simplify_total_order(compare)) return order;
  if (is_float(a->shape.dtype) && compare.attributes->comparison_type != "TOTALORDER") {
    const bool has_zero = dtype_bits(a->shape.dtype) >= 16;  // some narrower ones have not
    return has_zero ? simplify_compare_of_choice<double>(compare, splat_real) : nullptr;
  }
  if (!is_logical(*a)) return nullptr;
  if (a == compare.operand(1)) return become_pred(compare, holds(direction, 0, 0));
  if (a->shape.dtype == DType::kPred) {
    if (direction == "EQ" && is_ones(*compare.operand(1))) return a;
    if (direction == "NE" && is_zero(*compare.operand(1))) return a;
  }
  // In a nibble one may be -1; what is beyond INT64_MAX is no splat_integer.
  const bool is_plain = a->shape.dtype == DType::kPred || dtype_bits(a->shape.dtype) >= 8;
  return !is_plain || a->shape.dtype == DType::kU64 ? nullptr
                                                    : simplify_compare_of_choice<int64_t>(compare, splat_integer);
}

}  // namespace

Instruction* simplify_logic(Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kAnd:
    case Opcode::kOr:
      return simplify_and_or(instruction);
    case Opcode::kXor:
      return simplify_xor(instruction);
    case Opcode::kNot:
      return simplify_not(instruction);
    case Opcode::kSelect:
      return simplify_select(instruction);
    case Opcode::kCompare:
      return simplify_compare(instruction);
    default:
      return nullptr;
  }
}

}  // namespace sinter
