// Interval analysis. Arithmetic is done in 128 bits; a result that might leave its type has wrapped around, so
// nothing but the type's range is known of it.
//
// Selects: an arm is what it is where the predicate lets it be chosen, so that select(r < 0, r + n, r) is in [0, n)
// for a remainder r by n.
//
// Loops: a counter lies between its start and its last value; of another carry we know that it is its start or what
// the body returns, so the body is analysed once with the types' own ranges and once more with what that gave. Where
// that says nothing, bounds that the start keeps and a step preserves are bounds: tried are those of the start, then
// those of the start and of one step from there.
#include "passes/analysis/loops/ranges.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/loops/doubled_carry.h"
#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/analysis/values/constants.h"

namespace sinter {
namespace {

using Wide = __int128;

std::optional<Interval> fit(DType dtype, Wide low, Wide high) {
  if (!holds(dtype, {low, high})) return whole_range(dtype);
  return Interval{static_cast<int64_t>(low), static_cast<int64_t>(high)};
}

std::optional<Interval> hull(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  if (!a || !b) return {};
  return Interval{std::min(a->low, b->low), std::max(a->high, b->high)};
}

// The smallest 2^k - 1 that is at least value (>= 0).
int64_t all_bits_up_to(int64_t value) {
  int64_t mask = 0;
  while (mask < value) mask = mask * 2 + 1;
  return mask;
}

std::optional<Interval> constant_range(const Literal& literal) {
  // Reading more elements costs more than it is likely to tell.
  constexpr int64_t kMaxElements = 1 << 16;
  const int64_t count = literal.shape().is_array() && !literal.is_elided() ? literal.element_count() : 0;
  if (count == 0 || count > kMaxElements) return {};
  Interval range{INT64_MAX, INT64_MIN};
  for (int64_t i = 0; i < count; ++i) {
    const int64_t value = literal.integer_at(i);
    if (literal.shape().dtype == DType::kU64 && value < 0) return {};
    range = {std::min(range.low, value), std::max(range.high, value)};
  }
  return range;
}

std::optional<Interval> remainder_range(const Interval& x, const Interval& y) {
  const Wide magnitude = std::max<Wide>(y.low < 0 ? -Wide{y.low} : y.low, y.high < 0 ? -Wide{y.high} : y.high);
  const bool may_be_zero = y.low <= 0 && y.high >= 0;
  // x % 0 = x. Otherwise smaller than the divisor, no further from zero than x, and of x's sign.
  const Wide limit = may_be_zero ? Wide{INT64_MAX} : magnitude - 1;
  const Wide low = x.low >= 0 ? 0 : std::max<Wide>(x.low, -limit);
  const Wide high = x.high <= 0 ? 0 : std::min<Wide>(x.high, limit);
  if (may_be_zero) return Interval{std::min<int64_t>(x.low, 0), std::max<int64_t>(x.high, 0)};
  return Interval{static_cast<int64_t>(low), static_cast<int64_t>(high)};
}

// The values of x that pass a comparison with some y in its range; nullopt: none do.
std::optional<Interval> passing(Interval x, const std::string& direction, const Interval& y) {
  if (direction == "LT" || direction == "LE") {
    const bool strict = direction == "LT";
    if (strict && y.high == INT64_MIN) return std::nullopt;
    x.high = std::min(x.high, strict ? y.high - 1 : y.high);
  } else if (direction == "GT" || direction == "GE") {
    const bool strict = direction == "GT";
    if (strict && y.low == INT64_MAX) return std::nullopt;
    x.low = std::max(x.low, strict ? y.low + 1 : y.low);
  } else if (direction == "EQ") {
    x = {std::max(x.low, y.low), std::min(x.high, y.high)};
  } else if (direction == "NE" && y.is_single() && x.low < x.high) {
    if (x.low == y.low) ++x.low;
    if (x.high == y.high) --x.high;
  }
  if (x.low > x.high) return std::nullopt;
  return x;
}

const char* with_sides_changed(const std::string& direction) {
  if (direction == "LT") return "GT";
  if (direction == "LE") return "GE";
  if (direction == "GT") return "LT";
  if (direction == "GE") return "LE";
  return direction == "EQ" ? "EQ" : "NE";
}

const char* negated(const std::string& direction) {
  if (direction == "LT") return "GE";
  if (direction == "LE") return "GT";
  if (direction == "GT") return "LE";
  if (direction == "GE") return "LT";
  return direction == "EQ" ? "NE" : "EQ";
}

// Whether a comparison is a part of !(a >= b) && a == a, or of !(a <= b) && b == b, alone: every number is below NaN.
bool puts_nan_last(const Instruction& compare) {
  const std::string& direction = compare.attributes->direction.value();
  if (direction != "GE" && direction != "LE") return false;
  const Instruction* number = compare.operand(direction == "GE" ? 0 : 1);
  const auto is_number = [&](const Instruction* test) {
    return test->opcode == Opcode::kCompare && test->attributes->direction == "EQ" && test->operand(0) == number &&
           test->operand(1) == number;
  };
  const auto excludes_nan = [&](const Instruction* both) {
    return both->opcode == Opcode::kAnd && (is_number(both->operand(0)) || is_number(both->operand(1)));
  };
  return compare.parent()->root() != &compare &&
         std::all_of(compare.users().begin(), compare.users().end(), [&](const Instruction* inverted) {
           return inverted->opcode == Opcode::kNot && inverted->parent()->root() != inverted &&
                  std::all_of(inverted->users().begin(), inverted->users().end(), excludes_nan);
         });
}

// Whether a value of a combiner of `count` pairs is always one of its parameters `result` and `result + count`.
bool is_one_of_pair(const Instruction& value, int64_t result, int64_t count, int depth = 0) {
  constexpr int kMaxDepth = 8;
  if (depth > kMaxDepth) return false;
  if (value.opcode == Opcode::kParameter)
    return value.parameter_number == result || value.parameter_number == result + count;
  if (value.opcode != Opcode::kSelect && value.opcode != Opcode::kMaximum && value.opcode != Opcode::kMinimum)
    return false;
  for (size_t i = value.opcode == Opcode::kSelect ? 1 : 0; i < value.operands().size(); ++i) {
    if (!is_one_of_pair(*value.operand(i), result, count, depth + 1)) return false;
  }
  return true;
}

}  // namespace

bool orders_all(const Computation& comparator) {
  for (const Instruction& instruction : comparator.instructions()) {
    if (!instruction.called_computations().empty()) return false;
    if (instruction.opcode != Opcode::kCompare || !is_float(instruction.operand(0)->shape.dtype)) continue;
    const std::string& direction = instruction.attributes->direction.value();
    const bool is_order = direction != "EQ" && direction != "NE";
    if (is_order && instruction.attributes->comparison_type != "TOTALORDER" && !puts_nan_last(instruction))
      return false;
  }
  return true;
}

Ranges::Ranges(const Module& module) {
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      for (const Computation* callee : instruction.called_computations()) ++callers_[callee];
    }
  }
  // Callers first: they know what a body gets. What a body returns is known from the sweep before.
  constexpr int kSweeps = 2;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (auto it = module.computations().rbegin(); it != module.computations().rend(); ++it) analyze(**it);
  }
}

std::optional<Interval> Ranges::of(const Instruction& instruction) const {
  const auto found = intervals_.find(&instruction);
  if (found != intervals_.end()) return found->second;
  return instruction.shape.is_array() ? whole_range(instruction.shape.dtype) : std::nullopt;
}

Ranges::Elements Ranges::elements_of(const Instruction& tuple) const {
  if (tuple.shape.is_array()) return {of(tuple)};
  const auto known = results_.find(&tuple);
  if (known != results_.end()) return known->second;
  Elements elements;
  for (size_t i = 0; i < tuple.shape.elements.size(); ++i) {
    if (tuple.opcode == Opcode::kTuple) {
      elements.push_back(of(*tuple.operand(i)));
    } else {
      const Shape& shape = tuple.shape.elements[i];
      elements.push_back(shape.is_array() ? whole_range(shape.dtype) : std::nullopt);
    }
  }
  return elements;
}

std::optional<Interval> Ranges::infer_element(const Instruction& read) const {
  const Instruction& tuple = *read.operand(0);
  const auto index = static_cast<size_t>(read.attributes->tuple_index.value());
  if (tuple.opcode == Opcode::kParameter) {
    const auto known = arguments_.find(tuple.parent());
    if (known != arguments_.end() && index < known->second.size()) return known->second[index];
    return {};
  }
  if (tuple.opcode == Opcode::kSort || tuple.opcode == Opcode::kTopk || tuple.opcode == Opcode::kReduce)
    return infer_result(tuple, index);
  const Elements elements = results_.contains(&tuple) ? results_.at(&tuple) : Elements();
  return index < elements.size() ? elements[index] : std::nullopt;
}

std::optional<Interval> Ranges::infer_binary(const Instruction& instruction) const {
  const std::optional<Interval> a = of(*instruction.operand(0));
  const std::optional<Interval> b = of(*instruction.operand(1));
  const DType dtype = instruction.shape.dtype;
  if (instruction.opcode == Opcode::kAnd && dtype != DType::kPred) {
    // A value without its sign bit keeps the result below it.
    std::optional<Interval> result;
    for (const auto& side : {a, b}) {
      if (side && side->low >= 0) result = Interval{0, result ? std::min(result->high, side->high) : side->high};
    }
    return result;
  }
  if (!a || !b) return {};
  if (instruction.opcode == Opcode::kAdd && dtype == DType::kPred) return {};
  if (const std::optional<ExactInterval> exact = exact_result(instruction.opcode, *a, *b))
    return fit(dtype, exact->low, exact->high);
  switch (instruction.opcode) {
    case Opcode::kDivide: {
      if (b->low <= 0) return {};
      const auto [low, high] = std::minmax({a->low / b->low, a->low / b->high, a->high / b->low, a->high / b->high});
      return Interval{low, high};
    }
    case Opcode::kRemainder:
      return remainder_range(*a, *b);
    case Opcode::kMaximum:
      return Interval{std::max(a->low, b->low), std::max(a->high, b->high)};
    case Opcode::kMinimum:
      return Interval{std::min(a->low, b->low), std::min(a->high, b->high)};
    case Opcode::kAnd:
      return Interval{std::min(a->low, b->low), std::min(a->high, b->high)};
    case Opcode::kOr:
      if (a->low < 0 || b->low < 0) return {};
      return Interval{std::max(a->low, b->low), all_bits_up_to(std::max(a->high, b->high))};
    case Opcode::kXor:
      if (a->low < 0 || b->low < 0) return {};
      return Interval{0, all_bits_up_to(std::max(a->high, b->high))};
    case Opcode::kShiftLeft:
      if (a->low < 0 || b->low < 0 || b->high >= dtype_bits(dtype)) return {};
      return fit(dtype, Wide{a->low} << b->low, Wide{a->high} << b->high);
    case Opcode::kShiftRightLogical:
    case Opcode::kShiftRightArithmetic: {
      if (a->low < 0 || b->low < 0) return {};
      // The highest bit of an unsigned type too is repeated.
      const bool repeats =
          instruction.opcode == Opcode::kShiftRightArithmetic && a->high >> (dtype_bits(dtype) - 1) != 0;
      if (repeats) return {};
      const auto shifted = [](int64_t value, int64_t amount) { return amount > 62 ? 0 : value >> amount; };
      return Interval{shifted(a->low, b->high), shifted(a->high, b->low)};
    }
    default:
      return {};
  }
}

std::optional<Interval> Ranges::infer_reduce(const Instruction& reduce) const {
  if (reduce.operands().size() != 2 || !reduce.shape.is_array()) return {};
  const Instruction& combine = *reduce.attributes->to_apply.value()->root();
  if (combine.operands().size() != 2) return {};
  for (const Instruction* operand : combine.operands()) {
    if (operand->opcode != Opcode::kParameter) return {};
  }
  const std::optional<Interval> values = of(*reduce.operand(0));
  const std::optional<Interval> init = of(*reduce.operand(1));
  if (!values || !init) return {};
  Wide count = 1;
  for (int64_t dim : reduce.attributes->dimensions.value()) {
    count *= reduce.operand(0)->shape.dims[static_cast<size_t>(dim)];
  }
  switch (combine.opcode) {
    case Opcode::kMaximum:
      // No less than any of them.
      if (count == 0) return init;
      return Interval{std::max(values->low, init->low), std::max(values->high, init->high)};
    case Opcode::kMinimum:
      if (count == 0) return init;
      return Interval{std::min(values->low, init->low), std::min(values->high, init->high)};
    case Opcode::kAdd: {
      if (reduce.shape.dtype == DType::kPred) return {};
      // Partial sums in any order stay between these, so none of them wraps.
      const Wide low = std::min<Wide>(init->low, 0) + count * std::min<Wide>(values->low, 0);
      const Wide high = std::max<Wide>(init->high, 0) + count * std::max<Wide>(values->high, 0);
      return fit(reduce.shape.dtype, low, high);
    }
    default:
      return {};
  }
}

std::optional<Interval> Ranges::infer_window(const Instruction& window) const {
  if (window.operands().size() != 2 || !window.attributes->window) return {};
  const std::optional<Opcode> combiner = simple_combiner(*window.attributes->to_apply.value());
  const std::optional<Interval> values = of(*window.operand(0)), init = of(*window.operand(1));
  if (!values || !init || window.shape.dtype == DType::kPred) return {};
  if (combiner == Opcode::kMaximum || combiner == Opcode::kMinimum) return hull(values, init);
  // What is beyond the array counts as `init`.
  if (combiner != Opcode::kAdd || init != Interval{0, 0}) return {};
  Wide count = 1;
  for (const WindowDimension& dimension : *window.attributes->window) count *= dimension.size;
  Wide low = count * std::min<Wide>(values->low, 0);
  const Wide high = count * std::max<Wide>(values->high, 0);
  if (const std::optional<CumulativeWindow> cumulative = cumulative_window(window); cumulative && values->low >= 0) {
    // No window is without the first element.
    const auto first = first_along(*window.operand(0), cumulative->dimension, cumulative->reverse);
    low = std::max<Wide>(first.value_or(Interval{}).low, 0);
  }
  return fit(window.shape.dtype, low, high);
}

std::optional<Interval> Ranges::first_along(const Instruction& value, int64_t dimension, bool last) const {
  if (value.opcode == Opcode::kConvert) {
    const std::optional<Interval> from = first_along(*value.operand(0), dimension, last);
    return from ? fit(value.shape.dtype, from->low, from->high) : of(value);
  }
  const bool joins = value.opcode == Opcode::kConcatenate && value.attributes->dimensions->front() == dimension;
  const Instruction* part = joins ? (last ? value.operands().back() : value.operands().front()) : &value;
  return of(part->shape.element_count() > 0 ? *part : value);
}

std::optional<Interval> Ranges::infer_result(const Instruction& operation, size_t index) const {
  if (operation.opcode == Opcode::kTopk)
    return index == 0 ? of(*operation.operand(0))
                      : Interval{0, std::max<int64_t>(operation.operand(0)->shape.dims.back() - 1, 0)};
  const Computation& function = **operation.attributes->to_apply;
  if (operation.opcode == Opcode::kSort) return orders_all(function) ? of(*operation.operand(index)) : std::nullopt;
  const size_t count = operation.operands().size() / 2;
  const Instruction& root = *function.root();
  if (root.opcode != Opcode::kTuple || root.operands().size() != count || index >= count) return {};
  if (!is_one_of_pair(*root.operand(index), static_cast<int64_t>(index), static_cast<int64_t>(count))) return {};
  return hull(of(*operation.operand(index)), of(*operation.operand(count + index)));
}

std::optional<Interval> Ranges::of_where(const Instruction& value, const Instruction& predicate, bool is_true,
                                         int depth) const {
  constexpr int kMaxDepth = 3;  // of conditions that are taken apart
  const std::optional<Interval> range = of(value);
  if (!range || depth > kMaxDepth) return range;
  const auto both = [](const std::optional<Interval>& a, const std::optional<Interval>& b) -> std::optional<Interval> {
    if (!a || !b) return a ? a : b;
    const Interval joined{std::max(a->low, b->low), std::min(a->high, b->high)};
    return joined.low > joined.high ? a : joined;
  };
  if (const std::optional<RunningCount> count = running_count(value, predicate); count && is_true) {
    return both(range, Interval{count->least(), std::max(count->least(), range->high)});
  }
  if (predicate.opcode == Opcode::kNot) return of_where(value, *predicate.operand(0), !is_true, depth + 1);
  if (predicate.opcode == (is_true ? Opcode::kAnd : Opcode::kOr)) {
    return both(of_where(value, *predicate.operand(0), is_true, depth + 1),
                of_where(value, *predicate.operand(1), is_true, depth + 1));
  }
  if (predicate.opcode != Opcode::kCompare || !is_integer(predicate.operand(0)->shape.dtype)) return range;
  const std::string& given = predicate.attributes->direction.value();
  const std::string direction = is_true ? given : negated(given);
  for (const size_t side : {size_t{0}, size_t{1}}) {
    const Instruction& compared = *predicate.operand(side);
    const std::optional<Interval> whole = of(compared), limit = of(*predicate.operand(1 - side));
    if (!whole || !limit) continue;
    // Where nothing passes, the arm is never taken: all that is known of it holds.
    const std::optional<Interval> taken =
        passing(*whole, side == 0 ? direction : with_sides_changed(direction), *limit);
    if (!taken) continue;
    if (&value == &compared) return both(range, taken);
    const bool moves = value.opcode == Opcode::kAdd || value.opcode == Opcode::kSubtract;
    if (!moves || value.shape.dtype == DType::kPred) continue;
    for (const size_t slot : {size_t{0}, size_t{1}}) {
      const std::optional<Interval> other = of(*value.operand(1 - slot));
      if (value.operand(slot) != &compared || !other) continue;
      const Interval &a = slot == 0 ? *taken : *other, &b = slot == 0 ? *other : *taken;
      const ExactInterval exact = *exact_result(value.opcode, a, b);
      if (!sinter::holds(value.shape.dtype, exact)) continue;
      return both(range, Interval{static_cast<int64_t>(exact.low), static_cast<int64_t>(exact.high)});
    }
  }
  return range;
}

std::optional<Interval> Ranges::infer(const Instruction& instruction) const {
  if (!instruction.shape.is_array()) return {};
  const DType dtype = instruction.shape.dtype;
  if (!is_integer(dtype) && dtype != DType::kPred) return {};
  const auto operand = [&](size_t i) { return of(*instruction.operand(i)); };
  switch (instruction.opcode) {
    case Opcode::kConstant:
      return constant_range(instruction.literal);
    case Opcode::kIota: {
      const auto dim = static_cast<size_t>(instruction.attributes->iota_dimension.value());
      return fit(dtype, 0, std::max<Wide>(Wide{instruction.shape.dims[dim]} - 1, 0));
    }
    case Opcode::kGetTupleElement:
      return infer_element(instruction);
    case Opcode::kParameter: {
      const auto known = arguments_.find(instruction.parent());
      if (known == arguments_.end() || known->second.size() != 1) return {};
      return known->second[0];
    }
    case Opcode::kWhile:
    case Opcode::kConditional: {
      const auto known = results_.find(&instruction);
      if (known == results_.end() || known->second.size() != 1) return {};
      return known->second[0];
    }
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kSlice:
    case Opcode::kReverse:
    case Opcode::kDynamicSlice:
    case Opcode::kGather:
    case Opcode::kCopy:
    case Opcode::kOptBarrier:
      return operand(0);
    case Opcode::kSort:
      return infer_result(instruction, 0);
    case Opcode::kConcatenate: {
      std::optional<Interval> result = operand(0);
      for (size_t i = 1; i < instruction.operands().size(); ++i) result = hull(result, operand(i));
      return result;
    }
    case Opcode::kPad:
    case Opcode::kDynamicUpdateSlice:
      return hull(operand(0), operand(1));
    case Opcode::kSelect: {
      const Instruction& predicate = *instruction.operand(0);
      const std::optional<Interval> choice = of(predicate);
      if (choice && choice->is_single()) return operand(choice->low != 0 ? 1 : 2);
      return hull(of_where(*instruction.operand(1), predicate, true),
                  of_where(*instruction.operand(2), predicate, false));
    }
    case Opcode::kClamp: {
      const auto low = operand(0), value = operand(1), high = operand(2);
      if (!low || !value || !high) return {};
      const Interval raised{std::max(low->low, value->low), std::max(low->high, value->high)};
      return Interval{std::min(raised.low, high->low), std::min(raised.high, high->high)};
    }
    case Opcode::kConvert: {
      const std::optional<Interval> from = operand(0);
      if (!from) return {};
      if (dtype == DType::kPred) {
        const bool is_never_zero = from->low > 0 || from->high < 0;
        return is_never_zero ? Interval{1, 1} : from->is_single() ? Interval{0, 0} : Interval{0, 1};
      }
      return fit(dtype, from->low, from->high);
    }
    case Opcode::kCompare: {
      const auto a = operand(0), b = operand(1);
      if (!a || !b || instruction.attributes->comparison_type == "TOTALORDER") return {};
      return compare_range(instruction.attributes->direction.value(), *a, *b);
    }
    case Opcode::kNot: {
      const std::optional<Interval> from = operand(0);
      if (!from) return {};
      if (dtype == DType::kPred) return Interval{1 - from->high, 1 - from->low};
      if (is_signed_integer(dtype)) return Interval{-1 - from->high, -1 - from->low};
      return {};
    }
    case Opcode::kNegate: {
      const std::optional<Interval> from = operand(0);
      if (!from) return {};
      return fit(dtype, -Wide{from->high}, -Wide{from->low});
    }
    case Opcode::kAbs: {
      const std::optional<Interval> from = operand(0);
      if (!from) return {};
      if (from->low >= 0) return from;
      const Wide high = std::max(-Wide{from->low}, Wide{from->high});
      return fit(dtype, from->high < 0 ? -Wide{from->high} : 0, high);
    }
    case Opcode::kSign: {
      const std::optional<Interval> from = operand(0);
      if (!from) return {};
      return Interval{from->low > 0 ? 1 : from->low == 0 ? 0 : -1, from->high > 0 ? 1 : from->high == 0 ? 0 : -1};
    }
    case Opcode::kPopcnt:
    case Opcode::kCountLeadingZeros:
      // In the narrowest types the count itself wraps.
      if (dtype_bits(dtype) > integer_max(dtype)) return {};
      return Interval{0, dtype_bits(dtype)};
    case Opcode::kReduce:
      return infer_reduce(instruction);
    case Opcode::kReduceWindow:
      return infer_window(instruction);
    case Opcode::kScatter: {
      // Elements are overwritten, or stay.
      const Instruction& combined = *instruction.attributes->to_apply.value()->root();
      const bool overwrites = combined.opcode == Opcode::kParameter && instruction.operands().size() == 3;
      return overwrites ? hull(operand(0), operand(2)) : std::nullopt;
    }
    default:
      return opcode_family(instruction.opcode) == Family::kElementwise && instruction.operands().size() == 2
                 ? infer_binary(instruction)
                 : std::nullopt;
  }
}

void Ranges::enter_loop(const Instruction& loop) {
  const Computation* body = loop.attributes->body.value();
  const Computation* condition = loop.attributes->condition.value();
  const WhileInfo info = analyze_while(loop);
  const Elements init = elements_of(*loop.operand(0));
  const Elements returned = analyzed_.contains(body) ? elements_of(*body->root()) : Elements();
  Elements inside, tested;
  std::vector<size_t> unbounded;  // carries of which neither tells
  for (size_t i = 0; i < init.size(); ++i) {
    const Carry& carry = info.carries[i];
    const Shape& shape = loop.shape.is_tuple() ? loop.shape.elements[i] : loop.shape;
    // Bounds of the value at the start of an iteration, and where the condition is evaluated: once more.
    std::optional<Interval> before, after;
    if (carry.kind == CarryKind::kInduction && info.trip_limit) {
      const Wide last = Wide{carry.start} + Wide{carry.step} * std::max<int64_t>(*info.trip_limit - 1, 0);
      const Wide end = Wide{carry.start} + Wide{carry.step} * *info.trip_limit;
      before = fit(shape.dtype, std::min<Wide>(carry.start, last), std::max<Wide>(carry.start, last));
      after = fit(shape.dtype, std::min<Wide>(carry.start, end), std::max<Wide>(carry.start, end));
    } else if (carry.kind == CarryKind::kInvariant) {
      before = after = init[i];
    } else if (const std::optional<Interval> end = doubled_carry(loop, i, init[i], info.trip_limit)) {
      // A step that begins at its end would leave it.
      before = Interval{init[i]->low, end->high / 2};
      after = end;
    } else {
      before = after = i < returned.size() ? hull(init[i], returned[i]) : std::nullopt;
      const bool is_integer_array = shape.is_array() && is_integer(shape.dtype);
      const std::optional<Interval> whole = is_integer_array ? whole_range(shape.dtype) : std::nullopt;
      if (whole && before == whole && init[i] != whole) unbounded.push_back(i);
    }
    inside.push_back(before);
    tested.push_back(after);
  }
  if (callers_[body] == 1 && !unbounded.empty()) {
    const Elements kept = preserved(*body, init, unbounded, inside);
    for (const size_t i : unbounded) inside[i] = tested[i] = kept[i];
  }
  if (callers_[body] == 1) arguments_[body] = inside;
  if (callers_[condition] == 1) arguments_[condition] = tested;
  results_[&loop] = tested;
}

// What the body's parameter holds, of which `inside` is known: of the carries `unbounded` bounds that `init` keeps and
// the body preserves.
Ranges::Elements Ranges::preserved(const Computation& body, const Elements& init, const std::vector<size_t>& unbounded,
                                   Elements inside) {
  std::map<size_t, int> widened;
  for (const size_t i : unbounded) inside[i] = init[i];
  for (bool holds = false; !holds;) {
    holds = true;
    arguments_[&body] = inside;
    // Loops in the body return what they do whatever is assumed here.
    for (const Instruction& instruction : body.instructions()) {
      intervals_.erase(&instruction);
      if (const std::optional<Interval> range = infer(instruction)) intervals_[&instruction] = *range;
    }
    const Elements next = elements_of(*body.root());
    for (const size_t i : unbounded) {
      const Shape& shape = body.root()->shape.is_tuple() ? body.root()->shape.elements[i] : body.root()->shape;
      const std::optional<Interval> both = hull(inside[i], next[i]), whole = whole_range(shape.dtype);
      if (inside[i] == whole || both == inside[i]) continue;
      inside[i] = widened[i]++ == 0 ? both.value_or(*whole) : whole;
      holds = false;
    }
  }
  return inside;
}

void Ranges::enter_branches(const Instruction& conditional) {
  Elements joined;
  bool all_known = true;
  size_t operand = 1;
  for (const Computation* branch : conditional.called_computations()) {
    if (callers_[branch] == 1) arguments_[branch] = elements_of(*conditional.operand(operand));
    ++operand;
    all_known = all_known && analyzed_.contains(branch);
    if (!all_known) continue;
    const Elements returned = elements_of(*branch->root());
    if (operand == 2) {
      joined = returned;
      continue;
    }
    for (size_t i = 0; i < joined.size(); ++i) joined[i] = hull(joined[i], returned[i]);
  }
  if (all_known) results_[&conditional] = joined;
}

void Ranges::analyze(const Computation& computation) {
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode == Opcode::kWhile) enter_loop(instruction);
    if (instruction.opcode == Opcode::kConditional) enter_branches(instruction);
    if (const std::optional<Interval> range = infer(instruction)) intervals_[&instruction] = *range;
  }
  analyzed_.insert(&computation);
}

}  // namespace sinter
