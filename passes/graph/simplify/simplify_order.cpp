// Rules of simplify: comparisons in total order of numbers of which zeros are made one before, and NaNs, as JAX
// compares the keys of a sort. Few comparisons of the numbers themselves say the same.
#include <cmath>
#include <optional>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

bool is_compare(const Instruction& value, const char* direction) {
  return value.opcode == Opcode::kCompare && value.attributes->direction == direction &&
         value.attributes->comparison_type.value_or("") != "TOTALORDER";
}

// x of select(x != x, NaN, select(x == 0, 0, x)), whose NaN is above all numbers; nullptr for another value.
Instruction* canonical_of(const Instruction& value) {
  if (value.opcode != Opcode::kSelect || value.operand(2)->opcode != Opcode::kSelect) return nullptr;
  const Instruction& is_nan = *value.operand(0);
  const Instruction& of_zeros = *value.operand(2);
  const Instruction& is_zero = *of_zeros.operand(0);
  Instruction* x = of_zeros.operand(2);
  if (!is_compare(is_nan, "NE") || is_nan.operand(0) != x || is_nan.operand(1) != x) return nullptr;
  if (!is_compare(is_zero, "EQ") || is_zero.operand(0) != x) return nullptr;
  const std::optional<double> nan = splat_real(*value.operand(1));
  if (!nan || !std::isnan(*nan) || std::signbit(*nan)) return nullptr;
  return splat_real(*is_zero.operand(1)) == 0.0 && splat_real(*of_zeros.operand(1)) == 0.0 ? x : nullptr;
}

}  // namespace

Instruction* simplify_total_order(Instruction& compare) {
  if (compare.attributes->comparison_type.value_or("") != "TOTALORDER") return nullptr;
  if (!is_float(compare.operand(0)->shape.dtype)) return nullptr;
  Instruction* x = canonical_of(*compare.operand(0));
  Instruction* y = canonical_of(*compare.operand(1));
  if (x == nullptr || y == nullptr) return nullptr;
  GraphBuilder build(compare);
  const std::string direction = compare.attributes->direction.value();
  const auto invert = [&](Instruction* pred) { return build.make(Opcode::kNot, {pred}); };
  if (direction == "LT") {
    // Of two numbers one is below the other; every number is below NaN.
    Instruction* not_above = invert(build.compare({x, y}, "GE"));
    become(compare, Opcode::kAnd, {not_above, build.compare({x, x}, "EQ")});
  } else if (direction == "GT") {
    Instruction* not_below = invert(build.compare({x, y}, "LE"));
    become(compare, Opcode::kAnd, {not_below, build.compare({y, y}, "EQ")});
  } else if (direction == "LE") {
    become(compare, Opcode::kOr, {build.compare({x, y}, "LE"), build.compare({y, y}, "NE")});
  } else if (direction == "GE") {
    become(compare, Opcode::kOr, {build.compare({x, y}, "GE"), build.compare({x, x}, "NE")});
  } else if (direction == "EQ") {
    Instruction* both = build.make(Opcode::kAnd, {build.compare({x, x}, "NE"), build.compare({y, y}, "NE")});
    become(compare, Opcode::kOr, {build.compare({x, y}, "EQ"), both});
  } else {
    return nullptr;
  }
  return &compare;
}

}  // namespace sinter
