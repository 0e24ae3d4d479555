// mark_wrapping: integer arithmetic whose result may not fit its type, which in C++ is undefined.
//
//   ROOT %n = s32[8] add(%x, %one)   =>   ROOT %n = s32[8] add(%x, %one), frontend_attributes={sinter_wraps="1"}
//
// Signed add, subtract, multiply, negate and abs of 32 and 64 bits are marked unless
//   - the ranges of their operands exclude it (narrower ones are computed in int, but for products of 16 unsigned
//   bits),
//   - it is the sum in select(x < 0, x + n, x), as JAX writes an index that counts from the end, or another that is
//     computed only where the first operand is below a bound: a counter that the loop's condition tests,
//   - nothing asks how large the result is: it is stored, added to, converted to a float. A counter of steps wraps as
//     it should then; a comparison or a clamp behind it is what a compiler may take to be decided.
// The evaluator ignores the attribute; emitted code calls a helper that wraps. A mark already in the text is made anew.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "passes/analysis/loops/ranges.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/wrapping.h"
#include "passes/graph/base/passes.h"

namespace sinter {
namespace {

using Wide = __int128;

bool overflows_where_it_may(DType dtype, Opcode opcode) {
  switch (opcode) {
    case Opcode::kMultiply:
      return dtype == DType::kS32 || dtype == DType::kS64 || dtype == DType::kU16;
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kNegate:
    case Opcode::kAbs:
      return dtype == DType::kS32 || dtype == DType::kS64;
    default:
      return false;
  }
}

// Whether the type that C++ computes in holds the result, for all values in the operands' ranges.
bool fits(const Instruction& instruction, const Ranges& ranges) {
  const DType dtype = instruction.shape.dtype;
  const auto range = [&](size_t i) { return ranges.of(*instruction.operand(i)).value_or(*whole_range(dtype)); };
  const DType computed_in = dtype == DType::kU16 ? DType::kS32 : dtype;
  if (instruction.operands().size() == 1)  // -x, and |x| is that of negative ones
    return holds(computed_in, *exact_result(Opcode::kSubtract, {0, 0}, range(0)));
  return holds(computed_in, *exact_result(instruction.opcode, range(0), range(1)));
}

// What holds where `condition` holds: itself, or the sides of an and.
void add_conjuncts(const Instruction& condition, std::vector<const Instruction*>* found) {
  if (condition.opcode != Opcode::kAnd) return found->push_back(&condition);
  for (const Instruction* side : condition.operands()) add_conjuncts(*side, found);
}

bool is_same_carry(const Instruction& a, const Instruction& b) {
  const auto is_carry = [](const Instruction& value) {
    return value.opcode == Opcode::kGetTupleElement && value.operand(0)->opcode == Opcode::kParameter;
  };
  return is_carry(a) && is_carry(b) && a.attributes->tuple_index == b.attributes->tuple_index;
}

// Whether x + n is computed only where x < bound, and n takes it no further than the type reaches: in
// select(x < bound, x + n, ...), and of a carry in the body of the loop whose condition that is.
bool is_bounded_sum(const Instruction& sum, const Instruction* loop, const Ranges& ranges) {
  if (sum.opcode != Opcode::kAdd) return false;
  std::vector<const Instruction*> tests;
  const Instruction* user = sum.users().size() == 1 ? sum.users()[0] : nullptr;
  const bool is_chosen = user != nullptr && user->opcode == Opcode::kSelect && user->operand(1) == &sum;
  if (is_chosen) add_conjuncts(*user->operand(0), &tests);
  const size_t of_choice = tests.size();
  if (loop != nullptr) add_conjuncts(*(*loop->attributes->condition)->root(), &tests);
  for (size_t i = 0; i < tests.size(); ++i) {
    const Instruction& test = *tests[i];
    if (test.opcode != Opcode::kCompare || *test.attributes->direction != "LT") continue;
    const std::optional<Interval> bound = ranges.of(*test.operand(1));
    for (const size_t x : {size_t{0}, size_t{1}}) {
      const Instruction& value = *sum.operand(x);
      const bool tested = i < of_choice ? test.operand(0) == &value : is_same_carry(*test.operand(0), value);
      const std::optional<Interval> n = ranges.of(*sum.operand(1 - x));
      if (!tested || !bound || !n || n->low < 0) continue;
      if (Wide{bound->high} - 1 + n->high <= integer_max(sum.shape.dtype)) return true;
    }
  }
  return false;
}

// Which values something asks for the size of that they reach, by sums and products and as they are moved.
class SizeReaders {
 public:
  explicit SizeReaders(const Module& module) : module_(module) {
    for (const auto& computation : module.computations()) {
      for (const Instruction& instruction : computation->instructions()) {
        if (instruction.opcode == Opcode::kWhile) loop_of_.emplace(*instruction.attributes->body, &instruction);
      }
    }
  }

  // The loop whose body this is; nullptr for others.
  const Instruction* loop_of(const Computation* body) const {
    const auto found = loop_of_.find(body);
    return found == loop_of_.end() ? nullptr : found->second;
  }

  bool any(const Instruction& value) {
    if (!asked_) find_asked();
    return asked_->contains(&value);
  }

 private:
  // From those that are asked back to all that reach them: a long chain of sums is gone through once.
  void find_asked() {
    std::unordered_map<const Instruction*, std::vector<const Instruction*>> reached_by;
    std::vector<const Instruction*> open;
    for (const auto& computation : module_.computations()) {
      for (const Instruction& value : computation->instructions()) {
        if (!value.shape.is_array() || !is_integer(value.shape.dtype)) continue;
        if (is_asked(value, [&](const Instruction* next) { reached_by[next].push_back(&value); }))
          open.push_back(&value);
      }
    }
    asked_.emplace(open.begin(), open.end());
    while (!open.empty()) {
      const auto before = reached_by.find(open.back());
      open.pop_back();
      if (before == reached_by.end()) continue;
      for (const Instruction* value : before->second) {
        if (asked_->insert(value).second) open.push_back(value);
      }
    }
  }

  // Whether a user asks; calls reach(next) for what others make of the value.
  template <class Reach>
  bool is_asked(const Instruction& value, const Reach& reach) const {
    if (value.parent()->root() == &value && value.parent() != module_.entry()) return true;
    bool asked = false;
    for (const Instruction* user : value.users()) {
      if (user->opcode == Opcode::kTuple) {
        asked |= !reach_through_tuple(*user, value, reach);
      } else if (hands_on(*user, value)) {
        reach(user);
      } else {
        asked |= !is_float_of(*user);
      }
    }
    return asked;
  }

  static bool is_float_of(const Instruction& user) {
    return user.opcode == Opcode::kConvert && is_float(user.shape.dtype);
  }

  static bool hands_on(const Instruction& user, const Instruction& from) {
    switch (user.opcode) {
      case Opcode::kAdd:
      case Opcode::kSubtract:
      case Opcode::kMultiply:
      case Opcode::kNegate:
      case Opcode::kSelect:
      case Opcode::kBroadcast:
      case Opcode::kReshape:
      case Opcode::kTranspose:
      case Opcode::kSlice:
      case Opcode::kConcatenate:
      case Opcode::kPad:
      case Opcode::kReverse:
        return true;
      case Opcode::kDynamicSlice:
        return user.operand(0) == &from && std::count(user.operands().begin(), user.operands().end(), &from) == 1;
      case Opcode::kDynamicUpdateSlice:
        return std::count(user.operands().begin() + 2, user.operands().end(), &from) == 0;
      default:
        return false;
    }
  }

  // A loop's carry is read in its condition, its body and after it. False for other tuples but the program's results.
  template <class Reach>
  bool reach_through_tuple(const Instruction& tuple, const Instruction& from, const Reach& reach) const {
    std::vector<const Instruction*> loops;
    if (tuple.parent()->root() == &tuple && tuple.parent() != module_.entry()) {
      loops.push_back(loop_of(tuple.parent()));
      if (loops[0] == nullptr) return false;
    }
    for (const Instruction* user : tuple.users()) {
      if (user->opcode != Opcode::kWhile) return false;
      loops.push_back(user);
    }
    for (const Instruction* loop : loops) {
      for (size_t i = 0; i < tuple.operands().size(); ++i) {
        if (tuple.operand(i) != &from) continue;
        const Instruction* of_condition = (*loop->attributes->condition)->parameters()[0];
        const Instruction* of_step = (*loop->attributes->body)->parameters()[0];
        for (const Instruction* state : {loop, of_condition, of_step}) {
          for (const Instruction* read : state->users()) {
            if (read->opcode != Opcode::kGetTupleElement) return false;
            if (*read->attributes->tuple_index == static_cast<int64_t>(i)) reach(read);
          }
        }
      }
    }
    return true;
  }

  const Module& module_;
  std::unordered_map<const Computation*, const Instruction*> loop_of_;  // by body
  std::optional<std::unordered_set<const Instruction*>> asked_;         // once somebody has wanted to know
};

}  // namespace

bool mark_wrapping(Module& module, const GraphPassOptions&) {
  const Ranges ranges(module);
  SizeReaders readers(module);
  bool changed = false;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      const bool wraps =
          instruction.shape.is_array() && overflows_where_it_may(instruction.shape.dtype, instruction.opcode) &&
          !fits(instruction, ranges) && !is_bounded_sum(instruction, readers.loop_of(computation.get()), ranges) &&
          readers.any(instruction);
      if (wraps == may_wrap(instruction)) continue;
      auto& attributes = instruction.annotations.edit().frontend_attributes;
      if (wraps) attributes[kWrappingAttribute] = "1";
      if (!wraps) attributes.erase(kWrappingAttribute);
      changed = true;
    }
  }
  return changed;
}

}  // namespace sinter
