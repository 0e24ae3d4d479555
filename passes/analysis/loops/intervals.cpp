// What operations make of the bounds of their operands.
#include <algorithm>

#include "passes/analysis/loops/ranges.h"

namespace sinter {

namespace {

using Wide = __int128;

}  // namespace

std::optional<ExactInterval> exact_result(Opcode opcode, const Interval& x, const Interval& y) {
  switch (opcode) {
    case Opcode::kAdd:
      return ExactInterval{Wide{x.low} + y.low, Wide{x.high} + y.high};
    case Opcode::kSubtract:
      return ExactInterval{Wide{x.low} - y.high, Wide{x.high} - y.low};
    case Opcode::kMultiply: {
      const auto [low, high] =
          std::minmax({Wide{x.low} * y.low, Wide{x.low} * y.high, Wide{x.high} * y.low, Wide{x.high} * y.high});
      return ExactInterval{low, high};
    }
    default:
      return std::nullopt;
  }
}

bool holds(DType dtype, const ExactInterval& exact) {
  return exact.low >= integer_min(dtype) && exact.high <= integer_max(dtype);
}

Interval compare_range(const std::string& direction, const Interval& x, const Interval& y) {
  const auto decided = [](bool always, bool never) -> Interval {
    if (always) return Interval{1, 1};
    if (never) return Interval{0, 0};
    return Interval{0, 1};
  };
  if (direction == "LT") return decided(x.high < y.low, x.low >= y.high);
  if (direction == "LE") return decided(x.high <= y.low, x.low > y.high);
  if (direction == "GT") return decided(x.low > y.high, x.high <= y.low);
  if (direction == "GE") return decided(x.low >= y.high, x.high < y.low);
  const bool equal = x.is_single() && x == y;
  const bool apart = x.high < y.low || y.high < x.low;
  if (direction == "EQ") return decided(equal, apart);
  if (direction == "NE") return decided(apart, equal);
  return Interval{0, 1};
}

std::optional<Interval> whole_range(DType dtype) {
  if (dtype == DType::kU64 || (!is_integer(dtype) && dtype != DType::kPred)) return {};
  return Interval{integer_min(dtype), integer_max(dtype)};
}

}  // namespace sinter
