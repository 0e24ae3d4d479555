// narrow_by_ranges: integer operations that the values' ranges decide.
//
//   %r = s32[] remainder(%t, %sixteen)          with %t a counter from 0:
//   %n = pred[] compare(%r, %zero), direction=LT
//   %a = s32[] add(%r, %sixteen)           =>   uses of %s read %r
//   %s = s32[] select(%n, %a, %r)
//
// - a value that can only be one number becomes that constant (comparisons above all);
// - remainder, clamp, minimum, maximum, abs and masks that change nothing go;
// - the same of a remainder that may be negative, by no more than a few times its divisor, is one of x + 16;
// - what rounds a quotient down, sign(x) != 1 && x % 16 != 0, is false where x is never negative;
// - a clamp that only repeats what dynamic-slice and dynamic-update-slice do to their indices goes;
// - a scatter of one window that is in range becomes a dynamic-update-slice;
// - dynamic-slice and dynamic-update-slice whose indices are all in range are marked
//   frontend_attributes={sinter_in_bounds="1"}: emitted code need not clamp them.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "passes/analysis/loops/ranges.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/scatter_to_update.h"

namespace sinter {
namespace {

constexpr const char* kInBounds = "sinter_in_bounds";

class Narrowing {
 public:
  explicit Narrowing(const Module& module) : ranges_(module) {}

  bool narrow(Instruction& instruction) {
    const bool used = !instruction.users().empty() || instruction.parent()->root() == &instruction;
    if (!used || !instruction.shape.is_array()) return false;
    if (become_known_constant(instruction)) return true;
    if (Instruction* value = unchanged_operand(instruction)) {
      instruction.replace_all_uses_with(value);
      return true;
    }
    if (instruction.opcode == Opcode::kSelect && become_floor_remainder(instruction)) return true;
    if (instruction.opcode == Opcode::kAnd && become_unrounded(instruction)) return true;
    const auto range_of = [&](const Instruction& value) { return ranges_.of(value); };
    if (scatter_to_update(instruction, range_of)) return true;
    if (instruction.opcode == Opcode::kDynamicSlice) return narrow_window(instruction, 0, 1);
    if (instruction.opcode == Opcode::kDynamicUpdateSlice) return narrow_window(instruction, 1, 2);
    return false;
  }

 private:
  bool become_known_constant(Instruction& instruction) {
    const Opcode opcode = instruction.opcode;
    if (opcode == Opcode::kConstant || opcode == Opcode::kParameter || opcode == Opcode::kOptBarrier) return false;
    if (splat_value(instruction)) return false;  // already as plain as it gets
    const DType dtype = instruction.shape.dtype;
    if (!is_integer(dtype) && dtype != DType::kPred) return false;
    std::optional<Interval> range = ranges_.of(instruction);
    if (opcode == Opcode::kCompare && !(range && range->is_single())) range = compare_offsets(instruction);
    if (!range || !range->is_single()) return false;
    if (opcode == Opcode::kGetTupleElement || opcode == Opcode::kWhile || opcode == Opcode::kConditional) {
      // A read of a tuple stays in place, so that loops can be taken apart; its users get the constant.
      if (opcode != Opcode::kGetTupleElement) return false;
      return replace_read(instruction, integer_literal(dtype, range->low));
    }
    become_splat(instruction, integer_literal(dtype, range->low));
    return true;
  }

  // Python's quotient is select(sign(x) != 1 && x % n != 0, x / n - 1, x / n): zero leaves no rest.
  bool become_unrounded(Instruction& both) {
    if (both.shape.dtype != DType::kPred) return false;
    const auto compared_with = [](const Instruction& test, Opcode of, int64_t number) -> const Instruction* {
      const bool is_it = test.opcode == Opcode::kCompare && test.attributes->direction == "NE" &&
                         test.operand(0)->opcode == of && splat_integer(*test.operand(1)) == number;
      return is_it ? test.operand(0)->operand(0) : nullptr;
    };
    for (const size_t side : {0, 1}) {
      const Instruction* value = compared_with(*both.operand(side), Opcode::kSign, 1);
      if (value == nullptr || compared_with(*both.operand(1 - side), Opcode::kRemainder, 0) != value) continue;
      const std::optional<Interval> range = ranges_.of(*value);
      if (!range || range->low < 0) continue;
      become_splat(both, integer_literal(DType::kPred, 0));
      return true;
    }
    return false;
  }

  // Python's remainder, select(r < 0, r + n, r) of r = x % n, is (x + k * n) % n where that is never negative.
  bool become_floor_remainder(Instruction& select) {
    const Instruction& test = *select.operand(0);
    Instruction &sum = *select.operand(1), &rest = *select.operand(2);
    const DType dtype = select.shape.dtype;
    if (!is_signed_integer(dtype) || test.opcode != Opcode::kCompare || test.attributes->direction != "LT" ||
        test.operand(0) != &rest || splat_integer(*test.operand(1)) != 0)
      return false;
    const auto [base, offset] = offset_of(rest);
    const auto [base_of_sum, raised] = offset_of(sum);
    if (base != base_of_sum || raised <= offset) return false;
    return become_remainder(select, rest, raised - offset);
  }

  // `rest` may be below zero, the result is not.
  bool become_remainder(Instruction& select, Instruction& rest, int64_t n) {
    Instruction* x = &rest;
    if (rest.opcode == Opcode::kRemainder && splat_integer(*rest.operand(1)) == n) x = rest.operand(0);
    const std::optional<Interval> range = ranges_.of(*x);
    // Without its remainder x is that itself: of places a person writes (row + kRows - 1) % kRows all the same.
    if (!range || range->low >= 0 || (x == &rest && (range->low < -n || range->high >= n || !is_place(rest))))
      return false;
    constexpr int64_t kMostTimes = 4;  // where more is added, the reader has to divide
    if (-kMostTimes * n > range->low) return false;
    const int64_t more = (-range->low + n - 1) / n * n;
    const DType dtype = select.shape.dtype;
    if (!holds(dtype, *exact_result(Opcode::kAdd, *range, {more, more}))) return false;
    const auto [base, offset] = offset_of(*x);
    GraphBuilder build(select);
    const std::vector<int64_t>& dims = select.shape.dims;
    const GraphBuilder::Value shifted = build.add({base, build.integer(dtype, offset + more, dims)});
    become(select, Opcode::kRemainder, {shifted, build.integer(dtype, n, dims)});
    return true;
  }

  // A sum of places along dimensions.
  static bool is_place(const Instruction& value, int depth = 0) {
    constexpr int kMaxDepth = 6;
    switch (value.opcode) {
      case Opcode::kIota:
        return true;
      case Opcode::kAdd:
      case Opcode::kSubtract:
        return depth < kMaxDepth &&
               std::all_of(
                   value.operands().begin(), value.operands().end(),
                   [&](const auto* side) { return splat_integer(*side) || is_place(*side, depth + 1); });
      case Opcode::kBroadcast:
      case Opcode::kReshape:
        return depth < kMaxDepth && is_place(*value.operand(0), depth + 1);
      default:
        return false;
    }
  }

  // x + 3 < x + 2, or < x: the sums are of one value, and do not wrap.
  std::optional<Interval> compare_offsets(Instruction& compare) const {
    const auto [x, a] = offset_of(*compare.operand(0));
    const auto [y, b] = offset_of(*compare.operand(1));
    if (x != y || !is_integer(x->shape.dtype)) return std::nullopt;
    return compare_range(*compare.attributes->direction, {a, a}, {b, b});
  }

  std::pair<Instruction*, int64_t> offset_of(Instruction& value) const {
    Instruction* base = &value;
    int64_t offset = 0;
    while (base->opcode == Opcode::kAdd || base->opcode == Opcode::kSubtract) {
      constexpr int64_t kLargest = int64_t{1} << 40;
      const DType dtype = value.shape.dtype;
      const std::optional<int64_t> number = splat_integer(*base->operand(1));
      const std::optional<Interval> x = ranges_.of(*base->operand(0));
      if (!number || std::abs(*number) > kLargest || std::abs(offset) > kLargest || !x || !is_integer(dtype)) break;
      const int64_t more = base->opcode == Opcode::kAdd ? *number : -*number;
      if (!holds(dtype, *exact_result(Opcode::kAdd, *x, {more, more}))) break;
      offset += more;
      base = base->operand(0);
    }
    return {base, offset};
  }

  // Uses that hand the element on in a tuple stay: they keep a loop's carry what it is.
  static bool replace_read(Instruction& read, Literal scalar) {
    Instruction* value = nullptr;
    const std::vector<Instruction*> users = read.users();
    for (Instruction* user : users) {
      if (user->opcode == Opcode::kTuple) continue;
      for (size_t slot = 0; slot < user->operands().size(); ++slot) {
        if (user->operand(slot) != &read) continue;
        if (value == nullptr) {
          value = insert_broadcast_like(read, insert_scalar(read, scalar), read.shape);
        }
        user->set_operand(slot, value);
      }
    }
    return value != nullptr;
  }

  // The operand an operation returns as it is, or nullptr.
  Instruction* unchanged_operand(const Instruction& instruction) const {
    if (instruction.operands().empty() || !is_integer(instruction.shape.dtype)) return nullptr;
    const auto range = [&](size_t i) { return ranges_.of(*instruction.operand(i)); };
    const std::optional<Interval> a = range(0);
    if (instruction.opcode == Opcode::kAbs) return a && a->low >= 0 ? instruction.operand(0) : nullptr;
    if (instruction.operands().size() < 2) return nullptr;
    const std::optional<Interval> b = range(1);
    if (!a || !b) return nullptr;
    switch (instruction.opcode) {
      case Opcode::kRemainder: {
        // A smaller magnitude than any divisor has.
        const bool is_smaller = b->low > 0 && a->high < b->low && a->low > -b->low;
        return is_smaller ? instruction.operand(0) : nullptr;
      }
      case Opcode::kMaximum:
        if (a->low >= b->high) return instruction.operand(0);
        return b->low >= a->high ? instruction.operand(1) : nullptr;
      case Opcode::kMinimum:
        if (a->high <= b->low) return instruction.operand(0);
        return b->high <= a->low ? instruction.operand(1) : nullptr;
      case Opcode::kAnd:
        for (const size_t slot : {size_t{0}, size_t{1}}) {
          const std::optional<int64_t> mask = splat_integer(*instruction.operand(1 - slot));
          const Interval& value = slot == 0 ? *a : *b;
          const bool is_ones = mask && *mask >= 0 && (*mask & (*mask + 1)) == 0;
          if (is_ones && value.low >= 0 && value.high <= *mask) return instruction.operand(slot);
        }
        return nullptr;
      case Opcode::kClamp: {
        const std::optional<Interval> high = range(2);
        const bool is_inside = high && b->low >= a->high && b->high <= high->low;
        return is_inside && instruction.operand(1)->shape.same_type(instruction.shape) ? instruction.operand(1)
                                                                                       : nullptr;
      }
      default:
        return nullptr;
    }
  }

  // `sized` is the operand whose dimensions are the window's (for dynamic-slice the result's are).
  bool narrow_window(Instruction& access, size_t sized, size_t first_index) const {
    const std::vector<int64_t>& dims = access.operand(0)->shape.dims;
    const Shape& window = access.opcode == Opcode::kDynamicSlice ? access.shape : access.operand(sized)->shape;
    const bool has_scalar_indices = access.operands().size() == first_index + dims.size();
    bool changed = false;
    bool in_bounds = has_scalar_indices;
    for (size_t d = 0; has_scalar_indices && d < dims.size(); ++d) {
      const int64_t last = dims[d] - window.dims[d];
      Instruction* index = access.operand(first_index + d);
      if (index->opcode == Opcode::kClamp && splat_integer(*index->operand(0)) == 0 &&
          splat_integer(*index->operand(2)) == last) {
        index = index->operand(1);
        access.set_operand(first_index + d, index);
        changed = true;
      }
      const std::optional<Interval> range = ranges_.of(*index);
      in_bounds = in_bounds && range && range->low >= 0 && range->high <= last;
    }
    // What the text claims is not believed.
    const auto mark = access.annotations->frontend_attributes.find(kInBounds);
    const bool is_marked = mark != access.annotations->frontend_attributes.end() && mark->second == "1";
    if (is_marked == in_bounds) return changed;
    access.annotations.edit().frontend_attributes.erase(kInBounds);
    if (in_bounds) access.annotations.edit().frontend_attributes[kInBounds] = "1";
    return true;
  }

  Ranges ranges_;
};

}  // namespace

bool narrow_by_ranges(Module& module, const GraphPassOptions&) {
  Narrowing narrowing(module);
  bool changed = false;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) changed |= narrowing.narrow(instruction);
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
