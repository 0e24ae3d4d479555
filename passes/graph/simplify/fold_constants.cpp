// fold_constants: operations on constants are carried out by the evaluator.
//
//   %a = f32[] constant(2)
//   %b = f32[] constant(3)
//   %m = f32[] multiply(%a, %b)            =>   %m = f32[] constant(6)
//
// Integers that follow from their place, in a list or by arithmetic on floats, are written so: {127, 128, 129, ...} is
// an iota and 127, and the rows that a picture of twice the size is made of are an iota divided by 2.
//
// Elementwise operations on broadcast scalars are carried out on the scalars and stay a broadcast, and an array
// constant whose elements are all equal becomes one. An array that is broadcast stays as small as it is: it would be
// read from memory as often as it is repeated, and weights are shared by programs of different batch sizes. Results of
// more than kMaxElements elements are folded only where an operand is as large. Transcendental functions of f64 and of
// complex numbers are left alone: their last bit depends on the machine's mathematical library, and the same input must
// give the same output everywhere.
#include <algorithm>
#include <optional>
#include <vector>

#include "ir/evaluate/evaluate.h"
#include "passes/analysis/values/fold_value.h"
#include "passes/analysis/values/progression.h"
#include "passes/graph/base/known_value.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

constexpr int64_t kMaxElements = 1024;
// Reductions, contractions and the like do more work than they have results.
constexpr int64_t kMaxStructuredOperandElements = 4096;

bool fold_scalars(Instruction& instruction) {
  if (opcode_family(instruction.opcode) != Family::kElementwise) return false;
  std::vector<Literal> operands;
  for (const Instruction* operand : instruction.operands()) {
    std::optional<Literal> value = splat_value(*operand);
    if (!value) return false;
    operands.push_back(std::move(*value));
  }
  std::optional<Literal> result = evaluate_scalar(instruction, operands);
  if (!result) return false;
  become_splat(instruction, std::move(*result));
  return true;
}

// An array constant with equal elements becomes a broadcast.
bool spread_constant(Instruction& constant) {
  if (!constant.shape.is_array() || constant.shape.is_scalar() || constant.literal.is_elided()) return false;
  if (constant.shape.element_count() == 0 || !constant.literal.is_splat()) return false;
  Literal scalar(Shape::scalar(constant.shape.dtype));
  const std::span<std::byte> target = scalar.mutable_bytes();
  const std::span<const std::byte> source = constant.literal.bytes().first(target.size());
  std::copy(source.begin(), source.end(), target.begin());
  become_splat(constant, std::move(scalar));
  return true;
}

bool is_array_broadcast(const Instruction& value) {
  return value.opcode == Opcode::kBroadcast && value.shape.element_count() > value.operand(0)->shape.element_count();
}

// The value of a constant, or of a small array that is a constant's elements again and again.
std::optional<Literal> constant_value(const Instruction& value) {
  if (!value.shape.is_array()) return {};
  if (value.opcode == Opcode::kConstant) {
    return value.literal.is_elided() ? std::nullopt : std::optional(value.literal);
  }
  if (!value.shape.is_static() || value.shape.element_count() > kMaxElements) return {};
  if (is_array_broadcast(value) && value.operand(0)->opcode == Opcode::kConstant &&
      !value.operand(0)->literal.is_elided()) {
    return evaluate_instruction(value, {value.operand(0)->literal});
  }
  const std::optional<Literal> scalar = splat_value(value);
  if (!scalar) return {};
  Literal filled(Shape::array(value.shape.dtype, value.shape.dims));
  const std::span<const std::byte> source = scalar->bytes();
  const std::span<std::byte> target = filled.mutable_bytes();
  for (size_t at = 0; at < target.size(); at += source.size()) {
    std::copy(source.begin(), source.end(), target.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return filled;
}

// Fewer are as well read from a list; more are not computed here to see what they are.
constexpr int64_t kFewestInProgression = 16, kMostComputed = 1 << 16;

// Integers whose elements follow from their place, of an array that says so or of floats computed from places.
bool become_places(Instruction& value) {
  if (!value.shape.is_array() || !value.shape.is_static() || !is_integer(value.shape.dtype)) return false;
  const int64_t count = value.shape.element_count();
  if (count < kFewestInProgression || dtype_bits(value.shape.dtype) < 32) return false;
  const bool rounds = value.opcode == Opcode::kConvert && is_float(value.operand(0)->shape.dtype);
  if (value.opcode != Opcode::kConstant && !rounds) return false;
  const std::optional<Literal> computed = rounds ? known_value(value, kMostComputed) : std::nullopt;
  if (rounds && !computed) return false;
  const std::optional<Progression> progression = find_progression(rounds ? *computed : value.literal);
  if (!progression) return false;
  Attributes attributes;
  attributes.iota_dimension = progression->dimension;
  Instruction* places = insert_like(value, Opcode::kIota, value.shape, {}, attributes);
  const auto apply = [&](Opcode opcode, int64_t number, int64_t none) {
    if (number == none) return;
    Instruction* scalar = insert_scalar(value, integer_literal(value.shape.dtype, number));
    places = insert_like(value, opcode, value.shape, {places, insert_broadcast_like(value, scalar, value.shape)});
  };
  apply(Opcode::kAdd, progression->shift, 0);
  apply(Opcode::kDivide, progression->repeats, 1);
  apply(Opcode::kMultiply, progression->step, 1);
  apply(Opcode::kAdd, progression->first, 0);
  value.replace_all_uses_with(places);
  return true;
}

bool fold_arrays(Instruction& instruction) {
  if (std::optional<Literal> scalar = splat_value(instruction)) {
    const bool is_plain = instruction.opcode == Opcode::kBroadcast &&
                          instruction.operand(0)->opcode == Opcode::kConstant &&
                          instruction.operand(0)->shape.is_scalar();
    if (!is_plain) become_splat(instruction, std::move(*scalar));
    return !is_plain;
  }
  if (is_array_broadcast(instruction)) return false;
  // A sum or scatter of known values is not computed at run time; element by element, an index is as good.
  const bool is_structured = opcode_family(instruction.opcode) == Family::kStructured;
  int64_t operand_elements = 0;
  int64_t largest_operand = 0;
  bool any_constant = is_structured;
  std::vector<Literal> operands;
  for (const Instruction* operand : instruction.operands()) {
    std::optional<Literal> value = constant_value(*operand);
    if (!value && is_structured) value = known_value(*operand, kMaxElements);
    if (!value) return false;
    // Formulas of broadcast scalars are not spelled out as arrays, but a list of scalars is one.
    any_constant |= operand->opcode == Opcode::kConstant && !operand->shape.is_scalar();
    any_constant |= instruction.opcode == Opcode::kConcatenate && value->element_count() == 1;
    operand_elements += value->element_count();
    largest_operand = std::max(largest_operand, value->element_count());
    operands.push_back(std::move(*value));
  }
  if (!any_constant && !instruction.shape.is_scalar()) return false;
  if (is_structured && operand_elements > kMaxStructuredOperandElements) return false;
  if (instruction.shape.element_count() > (is_structured ? kMaxElements : std::max(kMaxElements, largest_operand))) {
    return false;
  }
  std::optional<Literal> result = evaluate_instruction(instruction, operands);
  if (!result) return false;
  become_constant(instruction, std::move(*result));
  spread_constant(instruction);
  return true;
}

}  // namespace

bool fold_constants(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    // Operands come first, so chains fold in one sweep.
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == Opcode::kConstant) {
        changed |= spread_constant(instruction) || become_places(instruction);
      } else if (may_fold(instruction)) {
        changed |= fold_scalars(instruction) || fold_arrays(instruction) || become_places(instruction);
      }
    }
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
