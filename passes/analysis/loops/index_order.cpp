#include "passes/analysis/loops/index_order.h"

#include <algorithm>
#include <unordered_set>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/analysis/values/constants.h"

namespace sinter {
namespace {

constexpr int kDeepestOrder = 16;
// Reading more elements of a constant costs more than it is likely to tell.
constexpr int64_t kMostRead = 1 << 16;

// Which dimension of an index map's operand is this one of its result; nullopt where it is none of it, or several.
std::optional<int64_t> dimension_before(const Instruction& value, int64_t dimension) {
  switch (value.opcode) {
    case Opcode::kTranspose:
      return (*value.attributes->dimensions)[dimension];
    case Opcode::kSlice:
    case Opcode::kReverse:
    case Opcode::kCopy:
      return dimension;
    case Opcode::kReshape:
      return dimension_before_reshape(value.operand(0)->shape.dims, value.shape.dims, dimension);
    default:
      return std::nullopt;
  }
}

bool is_index_map(const Instruction& value) {
  switch (value.opcode) {
    case Opcode::kTranspose:
    case Opcode::kSlice:
    case Opcode::kReverse:
    case Opcode::kCopy:
    case Opcode::kReshape:
      return true;
    default:
      return false;
  }
}

std::optional<int64_t> broadcast_dimension(const Instruction& broadcast, int64_t dimension) {
  const std::vector<int64_t>& dims = *broadcast.attributes->dimensions;
  const auto found = std::find(dims.begin(), dims.end(), dimension);
  return found == dims.end() ? std::nullopt : std::optional<int64_t>(found - dims.begin());
}

bool counts_without_wrapping(const Instruction& iota) {
  const int64_t dimension = *iota.attributes->iota_dimension;
  return iota.shape.dims[dimension] - 1 <= integer_max(iota.shape.dtype);
}

// The numbers of a constant of one dimension; empty where they are not at hand, or are too many.
std::vector<int64_t> numbers_of(const Literal& literal) {
  if (literal.shape().rank() != 1 || literal.is_elided() || literal.element_count() > kMostRead) return {};
  if (literal.shape().dtype == DType::kU64) return {};
  std::vector<int64_t> numbers(literal.element_count());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = literal.integer_at(static_cast<int64_t>(i));
  return numbers;
}

int64_t plus(int64_t a, int64_t b) { return a > INT64_MAX - b ? INT64_MAX : a + b; }

// Of non-negative factors.
int64_t times(int64_t a, int64_t b) { return a != 0 && b > INT64_MAX / a ? INT64_MAX : a * b; }

// What a sort gives at a place, and what it has sorted there; nullptr for any other value.
struct Sorted {
  const Instruction* sort = nullptr;
  size_t operand = 0;
};
Sorted sorted_value(const Instruction& value) {
  if (value.opcode == Opcode::kSort && value.shape.is_array()) return {&value, 0};
  if (value.opcode != Opcode::kGetTupleElement || value.operand(0)->opcode != Opcode::kSort) return {};
  return {value.operand(0), static_cast<size_t>(*value.attributes->tuple_index)};
}

// A value as another one and a number that is added to it, modulo the type.
struct Offset {
  const Instruction* base = nullptr;
  int64_t number = 0;
};
Offset offset_of(const Instruction& value) {
  Offset offset = {&value};
  while (offset.base->opcode == Opcode::kAdd || offset.base->opcode == Opcode::kSubtract) {
    const bool adds = offset.base->opcode == Opcode::kAdd;
    const Instruction &a = *offset.base->operand(0), &b = *offset.base->operand(1);
    const std::optional<int64_t> left = adds ? splat_integer(a) : std::nullopt, right = splat_integer(b);
    if (!left && !right) break;
    const int64_t number = right ? (adds ? *right : -*right) : *left;
    if (number > INT32_MAX || number < INT32_MIN) break;
    offset.base = right ? &a : &b;
    offset.number += number;
  }
  return offset;
}

}  // namespace

bool sorts_ascending(const Instruction& sort) {
  const Instruction& root = *sort.attributes->to_apply.value()->root();
  if (root.opcode != Opcode::kCompare || root.attributes->direction != "LT") return false;
  const auto is_parameter = [&](size_t operand) {
    const Instruction& value = *root.operand(operand);
    return value.opcode == Opcode::kParameter && value.parameter_number == static_cast<int64_t>(operand);
  };
  return is_parameter(0) && is_parameter(1);
}

const Instruction* IndexOrder::only_arm(const Instruction& select) const {
  const std::optional<Interval> choice = ranges_.of(*select.operand(0));
  return choice && choice->is_single() ? select.operand(choice->low != 0 ? 1 : 2) : nullptr;
}

bool IndexOrder::keeps_value(const Instruction& convert) const {
  const DType from = convert.operand(0)->shape.dtype, to = convert.shape.dtype;
  if ((!is_integer(from) && from != DType::kPred) || !is_integer(to)) return false;
  const std::optional<Interval> range = ranges_.of(*convert.operand(0));
  return range && holds(to, {range->low, range->high});
}

std::optional<int64_t> IndexOrder::ascent_of_window(const Instruction& window, int64_t dimension) const {
  const std::optional<CumulativeWindow> cumulative = cumulative_window(window);
  if (!cumulative || cumulative->reverse || cumulative->dimension != dimension || window.operands().size() != 2)
    return std::nullopt;
  const std::optional<Opcode> combiner = simple_combiner(*window.attributes->to_apply.value());
  if (combiner == Opcode::kMaximum) return INT64_MAX;
  const std::optional<Interval> values = ranges_.of(*window.operand(0));
  if (combiner != Opcode::kAdd || !values || values->low < 0 || splat_integer(*window.operand(1)) != 0)
    return std::nullopt;
  const int64_t count = window.shape.dims[dimension];
  if (!holds(window.shape.dtype, {0, __int128{count} * values->high})) return std::nullopt;
  return values->high;
}

std::optional<int64_t> IndexOrder::ascent_of_arithmetic(const Instruction& value, int64_t dimension, int depth) const {
  const Instruction &a = *value.operand(0), &b = *value.operand(1);
  const std::optional<int64_t> of_a = ascent(a, dimension, depth), of_b = ascent(b, dimension, depth);
  if (!of_a || !of_b) return std::nullopt;
  if (value.opcode == Opcode::kMaximum || value.opcode == Opcode::kMinimum) return std::max(*of_a, *of_b);
  const std::optional<Interval> range_a = ranges_.of(a), range_b = ranges_.of(b);
  if (!range_a || !range_b) return std::nullopt;
  if (value.opcode == Opcode::kDivide) return *of_b == 0 && range_b->low > 0 ? of_a : std::nullopt;
  const std::optional<ExactInterval> exact = exact_result(value.opcode, *range_a, *range_b);
  if (!exact || !holds(value.shape.dtype, *exact)) return std::nullopt;
  if (value.opcode == Opcode::kAdd) return plus(*of_a, *of_b);
  if (value.opcode == Opcode::kSubtract) return *of_b == 0 ? of_a : std::nullopt;
  if (*of_b == 0 && range_b->low >= 0) return times(*of_a, range_b->high);
  return *of_a == 0 && range_a->low >= 0 ? std::optional(times(*of_b, range_a->high)) : std::nullopt;
}

std::optional<int64_t> IndexOrder::ascent(const Instruction& value, int64_t dimension, int depth) const {
  if (depth++ > kDeepestOrder || !value.shape.is_array()) return std::nullopt;
  const DType dtype = value.shape.dtype;
  if (!is_integer(dtype) && dtype != DType::kPred) return std::nullopt;
  if (value.shape.rank() == 0 || value.shape.dims[dimension] <= 1) return 0;
  switch (value.opcode) {
    case Opcode::kIota:
      if (*value.attributes->iota_dimension != dimension) return 0;
      return counts_without_wrapping(value) ? std::optional<int64_t>(1) : std::nullopt;
    case Opcode::kConstant: {
      if (splat_value(value)) return 0;
      const std::vector<int64_t> numbers = numbers_of(value.literal);
      return !numbers.empty() && std::is_sorted(numbers.begin(), numbers.end()) ? std::optional(INT64_MAX)
                                                                                : std::nullopt;
    }
    case Opcode::kBroadcast: {
      const std::optional<int64_t> from = broadcast_dimension(value, dimension);
      return from ? ascent(*value.operand(0), *from, depth) : 0;
    }
    case Opcode::kSlice: {
      const std::optional<int64_t> step = ascent(*value.operand(0), dimension, depth);
      return step ? std::optional(times(*step, (*value.attributes->slice)[dimension].stride)) : std::nullopt;
    }
    case Opcode::kTranspose:
    case Opcode::kCopy:
    case Opcode::kReshape: {
      const std::optional<int64_t> from = dimension_before(value, dimension);
      return from ? ascent(*value.operand(0), *from, depth) : std::nullopt;
    }
    case Opcode::kConvert:
      return keeps_value(value) ? ascent(*value.operand(0), dimension, depth) : std::nullopt;
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kDivide:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
      return is_integer(dtype) ? ascent_of_arithmetic(value, dimension, depth) : std::nullopt;
    case Opcode::kReduceWindow:
      return ascent_of_window(value, dimension);
    case Opcode::kSort:
    case Opcode::kGetTupleElement: {
      const auto [sort, operand] = sorted_value(value);
      const bool ascends = sort != nullptr && operand == 0 && sorts_ascending(*sort) &&
                           *sort->attributes->dimensions == std::vector<int64_t>{dimension};
      return ascends ? std::optional(INT64_MAX) : std::nullopt;
    }
    case Opcode::kSelect: {
      const Instruction* arm = only_arm(value);
      return arm != nullptr ? ascent(*arm, dimension, depth) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

bool IndexOrder::differ(const Instruction& value, int64_t dimension, int depth) const {
  if (depth++ > kDeepestOrder || !value.shape.is_array() || !is_integer(value.shape.dtype)) return false;
  if (value.shape.rank() == 0 || value.shape.dims[dimension] <= 1) return true;
  const auto operand_differs = [&](size_t i) { return differ(*value.operand(i), dimension, depth); };
  const auto is_same = [&](size_t i) { return is_same_along(*value.operand(i), dimension, depth); };
  switch (value.opcode) {
    case Opcode::kIota:
      return *value.attributes->iota_dimension == dimension && counts_without_wrapping(value);
    case Opcode::kConstant: {
      const std::vector<int64_t> numbers = numbers_of(value.literal);
      return !numbers.empty() && std::unordered_set(numbers.begin(), numbers.end()).size() == numbers.size();
    }
    case Opcode::kBroadcast: {
      const std::optional<int64_t> from = broadcast_dimension(value, dimension);
      return from && differ(*value.operand(0), *from, depth);
    }
    case Opcode::kConvert:
      return keeps_value(value) && operand_differs(0);
    case Opcode::kNot:
    case Opcode::kNegate:
      return operand_differs(0);
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kXor:
      // Whether these wrap or not.
      return (is_same(1) && operand_differs(0)) || (is_same(0) && operand_differs(1));
    case Opcode::kSort:
    case Opcode::kGetTupleElement: {
      const auto [sort, operand] = sorted_value(value);
      return sort != nullptr && orders_all(*sort->attributes->to_apply.value()) &&
             *sort->attributes->dimensions == std::vector<int64_t>{dimension} &&
             differ(*sort->operand(operand), dimension, depth);
    }
    case Opcode::kSelect: {
      const Instruction* arm = only_arm(value);
      return arm != nullptr && differ(*arm, dimension, depth);
    }
    default: {
      if (!is_index_map(value)) return false;
      const std::optional<int64_t> from = dimension_before(value, dimension);
      return from && differ(*value.operand(0), *from, depth);
    }
  }
}

bool IndexOrder::differ_below(const Instruction& value, int64_t dimension, int64_t limit, int depth) const {
  if (depth++ > kDeepestOrder) return false;
  if (differ(value, dimension)) return true;
  if (value.opcode == Opcode::kConvert)
    return keeps_value(value) && differ_below(*value.operand(0), dimension, limit, depth);
  if (is_index_map(value)) {
    const std::optional<int64_t> from = dimension_before(value, dimension);
    return from && differ_below(*value.operand(0), *from, limit, depth);
  }
  if (value.opcode != Opcode::kSelect) return false;
  if (const Instruction* arm = only_arm(value)) return differ_below(*arm, dimension, limit, depth);
  const std::optional<int64_t> nowhere = splat_integer(*value.operand(2));
  if (!nowhere || (*nowhere >= 0 && *nowhere < limit)) return false;
  const std::optional<RunningCount> count = running_count(*value.operand(1), *value.operand(0));
  return (count && count->dimension == dimension) || differ_below(*value.operand(1), dimension, limit, depth);
}

bool IndexOrder::are_grouped(const Instruction& value, int64_t dimension) const {
  if (ascent(value, dimension)) return true;
  if (is_index_map(value) && value.opcode != Opcode::kSlice) {
    const std::optional<int64_t> from = dimension_before(value, dimension);
    return from && are_grouped(*value.operand(0), *from);
  }
  if (value.opcode != Opcode::kSelect) return false;
  // Those below zero come first, as the largest: x + n. No later one is as large, if the steps are so small that x gets
  // no further than the number of steps from -1 on.
  const Instruction &negative = *value.operand(0), &x = *value.operand(2);
  if (negative.opcode != Opcode::kCompare || negative.attributes->direction != "LT" || negative.operand(0) != &x ||
      splat_integer(*negative.operand(1)) != 0)
    return false;
  const Offset raised = offset_of(*value.operand(1)), offset = offset_of(x);
  const int64_t n = raised.number - offset.number;
  const std::optional<int64_t> step = ascent(x, dimension);
  const std::optional<Interval> range = ranges_.of(x);
  if (raised.base != offset.base || !step || *step > 1 || !range || range->low < -n) return false;
  const int64_t furthest = value.shape.dims[dimension] - 2;
  return furthest < n + range->low && holds(value.shape.dtype, {0, n});
}

}  // namespace sinter
