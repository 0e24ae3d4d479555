#include "passes/analysis/loops/doubled_carry.h"

#include "passes/analysis/values/constants.h"

namespace sinter {
namespace {

// Whether the carry is twice what it was and 0 or 1 in each step: a way through a tree.
bool doubles(const Instruction& next, size_t carry) {
  const auto is_carry = [&](const Instruction& value) {
    return value.opcode == Opcode::kGetTupleElement && value.operand(0)->opcode == Opcode::kParameter &&
           value.attributes->tuple_index == static_cast<int64_t>(carry);
  };
  const auto is_bit = [](const Instruction& value) {
    return value.opcode == Opcode::kConvert && value.operand(0)->shape.dtype == DType::kPred;
  };
  const auto is_twice = [&](const Instruction& value) {
    if (value.opcode != Opcode::kMultiply) return false;
    return (is_carry(*value.operand(0)) && splat_integer(*value.operand(1)) == 2) ||
           (is_carry(*value.operand(1)) && splat_integer(*value.operand(0)) == 2);
  };
  if (next.opcode != Opcode::kAdd) return false;
  const Instruction &x = *next.operand(0), &y = *next.operand(1);
  return (is_twice(x) && is_bit(y)) || (is_twice(y) && is_bit(x));
}

}  // namespace

std::optional<Interval> doubled_carry(const Instruction& loop, size_t carry, const std::optional<Interval>& init,
                                      const std::optional<int64_t>& steps) {
  constexpr int64_t kMostSteps = 31;
  const Instruction& next = *loop.attributes->body.value()->root();
  if (!init || init->low < 0 || init->high > 1 || !steps || *steps < 1 || *steps > kMostSteps) return std::nullopt;
  if (next.opcode != Opcode::kTuple || !doubles(*next.operand(carry), carry)) return std::nullopt;
  const int64_t high = ((init->high + 1) << *steps) - 1;
  if (high > integer_max(next.operand(carry)->shape.dtype)) return std::nullopt;
  return Interval{init->low, high};
}

}  // namespace sinter
