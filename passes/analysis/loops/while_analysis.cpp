// What is known about a `while` without running it: which carries are counters or invariants, and how often the
// body runs. Only what the graph states is used, never a trip count somebody wrote next to it.
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/values/constants.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter {
namespace {

using Wide = __int128;

// A while seen as carries: init, parameter and root of each, whether the state is a tuple or one array.
class Loop {
 public:
  explicit Loop(const Instruction& loop)
      : init_(loop.operand(0)),
        body_(*loop.attributes->body.value()),
        condition_(*loop.attributes->condition.value()),
        is_tuple_(loop.shape.is_tuple()),
        count_(is_tuple_ ? loop.shape.elements.size() : 1) {}

  size_t count() const { return count_; }
  const Computation& condition() const { return condition_; }
  const Computation& body() const { return body_; }

  // What is known of element i before the first iteration and returned by each; nullptr where it is not taken apart.
  const Instruction* init(size_t i) const { return element(init_, i); }
  const Instruction* next(size_t i) const { return element(body_.root(), i); }

  // The carry this value is inside a body or condition, or -1.
  int64_t carry_of(const Instruction* value) const {
    if (!is_tuple_) return value->opcode == Opcode::kParameter ? 0 : -1;
    if (value->opcode != Opcode::kGetTupleElement || value->operand(0)->opcode != Opcode::kParameter) return -1;
    return value->attributes->tuple_index.value();
  }

 private:
  const Instruction* element(const Instruction* value, size_t i) const {
    if (!is_tuple_) return value;
    return value->opcode == Opcode::kTuple ? value->operand(i) : nullptr;
  }

  const Instruction* init_;
  const Computation& body_;
  const Computation& condition_;
  bool is_tuple_;
  size_t count_;
};

std::optional<int64_t> scalar_integer(const Instruction* value) {
  if (value == nullptr || !value->shape.is_scalar() || !is_integer(value->shape.dtype)) return {};
  return splat_integer(*value);
}

// The constant added to carry i each iteration.
std::optional<int64_t> step_of(const Loop& loop, size_t i) {
  const Instruction* next = loop.next(i);
  if (next == nullptr || !next->shape.is_scalar() || !is_integer(next->shape.dtype)) return {};
  if (next->opcode != Opcode::kAdd && next->opcode != Opcode::kSubtract) return {};
  const bool adds = next->opcode == Opcode::kAdd;
  for (const size_t slot : {size_t{0}, size_t{1}}) {
    if (slot == 1 && !adds) break;
    if (loop.carry_of(next->operand(slot)) != static_cast<int64_t>(i)) continue;
    const std::optional<int64_t> step = scalar_integer(next->operand(1 - slot));
    if (step) return adds ? *step : wrap_integer(next->shape.dtype, -Wide{*step});
  }
  return {};
}

Carry classify(const Loop& loop, size_t i) {
  Carry carry;
  const Instruction* next = loop.next(i);
  if (next == nullptr) return carry;
  if (loop.carry_of(next) == static_cast<int64_t>(i)) {
    carry.kind = CarryKind::kInvariant;
    return carry;
  }
  const std::optional<int64_t> step = step_of(loop, i);
  const std::optional<int64_t> start = scalar_integer(loop.init(i));
  if (step && start && *step != 0) carry = {CarryKind::kInduction, *start, *step};
  return carry;
}

enum class Direction { kEq, kNe, kLt, kLe, kGt, kGe };

std::optional<Direction> direction_of(const Instruction& compare) {
  const std::string& text = compare.attributes->direction.value();
  if (text == "EQ") return Direction::kEq;
  if (text == "NE") return Direction::kNe;
  if (text == "LT") return Direction::kLt;
  if (text == "LE") return Direction::kLe;
  if (text == "GT") return Direction::kGt;
  if (text == "GE") return Direction::kGe;
  return {};
}

// a D b as b D' a.
Direction mirrored(Direction direction) {
  switch (direction) {
    case Direction::kLt:
      return Direction::kGt;
    case Direction::kLe:
      return Direction::kGe;
    case Direction::kGt:
      return Direction::kLt;
    case Direction::kGe:
      return Direction::kLe;
    case Direction::kEq:
    case Direction::kNe:
      break;
  }
  return direction;
}

// Iterations of "while (i D bound) i += step" from `start` in exact arithmetic; nullopt if it never ends.
std::optional<Wide> iterations(Direction direction, Wide start, Wide step, Wide bound) {
  switch (direction) {
    case Direction::kEq:
      return start == bound ? 1 : 0;
    case Direction::kNe:
      if (start == bound) return 0;
      if ((bound - start) % step != 0 || (bound - start) / step < 0) return {};
      return (bound - start) / step;
    case Direction::kLe:
      return iterations(Direction::kLt, start, step, bound + 1);
    case Direction::kGe:
      return iterations(Direction::kGt, start, step, bound - 1);
    case Direction::kGt:
      return iterations(Direction::kLt, -start, -step, -bound);
    case Direction::kLt:
      if (start >= bound) return 0;
      if (step < 0) return {};
      return (bound - start + step - 1) / step;
  }
  return {};
}

// carry D bound, with the carry on the left.
struct Test {
  int64_t carry = -1;
  Direction direction = Direction::kLt;
  int64_t bound = 0;
};

// A constant, or an invariant carry that starts as one.
std::optional<int64_t> bound_of(const Loop& loop, const Instruction* value) {
  const int64_t carry = loop.carry_of(value);
  if (carry < 0) return scalar_integer(value);
  if (classify(loop, static_cast<size_t>(carry)).kind != CarryKind::kInvariant) return {};
  return scalar_integer(loop.init(static_cast<size_t>(carry)));
}

std::optional<Test> test_of(const Loop& loop, const Instruction* value) {
  if (value->opcode != Opcode::kCompare || !is_integer(value->operand(0)->shape.dtype)) return {};
  const std::optional<Direction> direction = direction_of(*value);
  if (!direction) return {};
  for (const size_t slot : {size_t{0}, size_t{1}}) {
    const int64_t carry = loop.carry_of(value->operand(slot));
    if (carry < 0) continue;
    const std::optional<int64_t> bound = bound_of(loop, value->operand(1 - slot));
    if (bound) return Test{carry, slot == 0 ? *direction : mirrored(*direction), *bound};
  }
  return {};
}

// Body runs that the test allows at most, if the counter does not wrap around on the way.
std::optional<int64_t> runs_allowed(const Carry& carry, const Test& test, DType dtype) {
  const std::optional<Wide> count = iterations(test.direction, carry.start, carry.step, test.bound);
  if (!count || *count > INT64_MAX) return {};
  const Wide last = Wide{carry.start} + *count * carry.step;
  if (last < integer_min(dtype) || last > integer_max(dtype)) return {};
  // A u64 is held as int64_t; beyond its positive half order would be another.
  if (!is_signed_integer(dtype) && (carry.start < 0 || test.bound < 0)) return {};
  return static_cast<int64_t>(*count);
}

}  // namespace

bool wraps_within(const Carry& counter, DType dtype, int64_t steps) {
  const Wide last = counter.start + Wide{steps - 1} * counter.step;
  return last < integer_min(dtype) || last > integer_max(dtype);
}

WhileInfo analyze_while(const Instruction& while_instruction) {
  const Loop loop(while_instruction);
  WhileInfo info;
  for (size_t i = 0; i < loop.count(); ++i) info.carries.push_back(classify(loop, i));

  const Instruction* root = loop.condition().root();
  if (const std::optional<int64_t> constant = splat_integer(*root)) {
    if (*constant == 0) info.trip_count = 0;
    return info;
  }
  // A conjunction ends at its first false term, so any counter in it bounds the loop.
  std::vector<const Instruction*> terms{root};
  for (size_t k = 0; k < terms.size(); ++k) {
    if (terms[k]->opcode != Opcode::kAnd) continue;
    terms.push_back(terms[k]->operand(0));
    terms.push_back(terms[k]->operand(1));
    if (terms.size() > 64) break;
  }
  for (const Instruction* term : terms) {
    const std::optional<Test> test = test_of(loop, term);
    if (!test) continue;
    const Carry& carry = info.carries[static_cast<size_t>(test->carry)];
    if (carry.kind != CarryKind::kInduction) continue;
    const DType dtype = loop.next(static_cast<size_t>(test->carry))->shape.dtype;
    const std::optional<int64_t> runs = runs_allowed(carry, *test, dtype);
    if (!runs) continue;
    info.trip_limit = info.trip_limit ? std::min(*info.trip_limit, *runs) : *runs;
    if (term != root) continue;
    info.trip_count = *runs;
    info.counter = test->carry;
  }
  if (info.trip_limit == 0) info.trip_count = 0;
  return info;
}

}  // namespace sinter
