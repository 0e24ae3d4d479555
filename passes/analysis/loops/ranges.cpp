// Interval analysis. Arithmetic is done in 128 bits; a result that might leave its type has wrapped around, so
// nothing but the type's range is known of it.
//
// Loops: a counter lies between its start and its last value; of another carry we know that it is its start or what
// the body returns, so the body is analysed once with the types' own ranges and once more with what that gave.
#include "passes/analysis/loops/ranges.h"
#include "passes/analysis/values/constants.h"

#include <algorithm>
#include <cstdlib>

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
  switch (combine.opcode) {
    case Opcode::kMaximum:
    case Opcode::kMinimum:
      return hull(values, init);
    case Opcode::kAdd: {
      if (reduce.shape.dtype == DType::kPred) return {};
      Wide count = 1;
      for (int64_t dim : reduce.attributes->dimensions.value()) {
        count *= reduce.operand(0)->shape.dims[static_cast<size_t>(dim)];
      }
      // Partial sums in any order stay between these, so none of them wraps.
      const Wide low = std::min<Wide>(init->low, 0) + count * std::min<Wide>(values->low, 0);
      const Wide high = std::max<Wide>(init->high, 0) + count * std::max<Wide>(values->high, 0);
      return fit(reduce.shape.dtype, low, high);
    }
    default:
      return {};
  }
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
    case Opcode::kSort:
      return operand(0);
    case Opcode::kConcatenate: {
      std::optional<Interval> result = operand(0);
      for (size_t i = 1; i < instruction.operands().size(); ++i) result = hull(result, operand(i));
      return result;
    }
    case Opcode::kPad:
    case Opcode::kDynamicUpdateSlice:
      return hull(operand(0), operand(1));
    case Opcode::kSelect: {
      const std::optional<Interval> choice = operand(0);
      if (choice && choice->is_single()) return operand(choice->low != 0 ? 1 : 2);
      return hull(operand(1), operand(2));
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
    } else {
      before = after = i < returned.size() ? hull(init[i], returned[i]) : std::nullopt;
    }
    inside.push_back(before);
    tested.push_back(after);
  }
  if (callers_[body] == 1) arguments_[body] = inside;
  if (callers_[condition] == 1) arguments_[condition] = tested;
  results_[&loop] = tested;
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
