#include "passes/demand/known_truths.h"

#include <algorithm>
#include <cstdint>

#include "passes/analysis/loops/ranges.h"
#include "passes/demand/index_ranges.h"

namespace sinter {

namespace {

// Half of what is folded as an index: two of them have a difference.
constexpr IndexRange kSmall = {-(int64_t{1} << 61), int64_t{1} << 61};

// What passes a comparison; nullopt if that is no single interval.
std::optional<IndexRange> passing(const ConstantTest& test) {
  const int64_t c = test.constant;
  if (test.direction == "EQ") return IndexRange{c, c};
  if (test.direction == "LT") return IndexRange{INT64_MIN, c - 1};
  if (test.direction == "LE") return IndexRange{INT64_MIN, c};
  if (test.direction == "GT") return IndexRange{c + 1, INT64_MAX};
  if (test.direction == "GE") return IndexRange{c, INT64_MAX};
  return std::nullopt;
}

ConstantTest negated(const ConstantTest& test) {
  static constexpr const char* kPairs[][2] = {{"EQ", "NE"}, {"LT", "GE"}, {"LE", "GT"}};
  for (const auto& [one, other] : kPairs) {
    if (test.direction == one) return {other, test.constant};
    if (test.direction == other) return {one, test.constant};
  }
  return test;
}

}  // namespace

std::optional<bool> known_comparison(const std::string& direction, const IndexExpr& left, const IndexExpr& right) {
  if (!inside(left.range(), kSmall) || !inside(right.range(), kSmall)) return std::nullopt;
  const IndexRange difference = (left - right).range();
  const Interval result = compare_range(direction, {difference.low, difference.high}, {0, 0});
  return result.is_single() ? std::optional(result.low == 1) : std::nullopt;
}

OfTruth compare_truth(const std::string& direction, bool known, bool known_is_left) {
  const auto holds = [&](bool value) {
    const int64_t left = known_is_left ? known : value, right = known_is_left ? value : known;
    return compare_range(direction, {left, left}, {right, right}).low == 1;
  };
  if (holds(false) == holds(true)) return {.constant = holds(true)};
  return {.is_value = holds(true)};
}

bool exclude_each_other(const ConstantTest& a, const ConstantTest& b) {
  if (!inside({a.constant, a.constant}, kSmall) || !inside({b.constant, b.constant}, kSmall)) return false;
  const std::optional<IndexRange> of_a = passing(a), of_b = passing(b);
  return of_a && of_b && std::max(of_a->low, of_b->low) > std::min(of_a->high, of_b->high);
}

bool cover_everything(const ConstantTest& a, const ConstantTest& b) {
  return exclude_each_other(negated(a), negated(b));
}

}  // namespace sinter
