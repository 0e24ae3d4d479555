// expand_powers: a power of some halves of a number that is never negative is a root and a few products, which take a
// tenth of what a power takes: distances of points, x ** -1.5 of a sum of squares.
//
//   %p = f32[4096] power(%x, broadcast(-1.5))    =>    %r = f32[4096] rsqrt(%x)
//   x a sum of squares                                 %p = f32[4096] divide(%r, %x)
//
// That is within the error of a power (ulp_bound of ir/ops/op_table.h): of f32 and f64, which are not rounded on the
// way. A negative number and a negative zero have powers that roots do not give.
#include <cmath>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

constexpr int kDepth = 12;  // operations that are looked through

// A NaN, or no less than +0.
bool is_never_negative(const Instruction& value, int depth = kDepth) {
  if (depth == 0) return false;
  const auto operand = [&](size_t number) { return is_never_negative(*value.operand(number), depth - 1); };
  switch (value.opcode) {
    case Opcode::kConstant: {
      const std::optional<Literal> splat = splat_value(value);
      return splat && !std::signbit(splat->real_at(0));
    }
    case Opcode::kAbs:
    case Opcode::kExponential:
      return true;
    case Opcode::kMultiply:
      return value.operand(0) == value.operand(1) || (operand(0) && operand(1));
    case Opcode::kAdd:
    case Opcode::kDivide:
      return operand(0) && operand(1);
    case Opcode::kSqrt:
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kSlice:
    case Opcode::kCopy:
      return operand(0);
    case Opcode::kReduce:
      return value.operands().size() == 2 && simple_combiner(**value.attributes->to_apply) == Opcode::kAdd &&
             operand(0) && operand(1);
    default:
      return false;
  }
}

// How many halves the exponent is, of those that are expanded; 0: none.
int halves_of(const Instruction& power) {
  const DType dtype = power.shape.dtype;
  if (power.opcode != Opcode::kPower || (dtype != DType::kF32 && dtype != DType::kF64)) return 0;
  const std::optional<Literal> exponent = splat_value(*power.operand(1));
  if (!exponent) return 0;
  const double halves = 2 * exponent->real_at(0);
  const double size = std::fabs(halves);
  if (size != 1 && size != 3 && size != 5) return 0;
  return is_never_negative(*power.operand(0)) ? static_cast<int>(halves) : 0;
}

Value expanded(Instruction& power, int halves) {
  GraphBuilder build(power);
  const Value x = power.operand(0);
  const Value root = build.make(halves > 0 ? Opcode::kSqrt : Opcode::kRsqrt, {x});
  const int whole = std::abs(halves) / 2;  // factors of x
  if (whole == 0) return root;
  // Where x * x is too large or too small for a float, so is the power.
  const Value factor = whole == 1 ? x : build.multiply({x, x});
  return build.make(halves > 0 ? Opcode::kMultiply : Opcode::kDivide, {root, factor});
}

}  // namespace

bool expand_powers(Module& module, const GraphPassOptions&) {
  std::vector<std::pair<Instruction*, int>> found;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (const int halves = halves_of(instruction)) found.emplace_back(&instruction, halves);
    }
  }
  for (const auto& [power, halves] : found) power->replace_all_uses_with(expanded(*power, halves));
  if (!found.empty()) remove_dead_code(module);
  return !found.empty();
}

}  // namespace sinter
