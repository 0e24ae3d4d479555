// narrow_by_ranges: integer operations that the values' ranges decide.
//
//   %r = s32[] remainder(%t, %sixteen)          with %t a counter from 0:
//   %n = pred[] compare(%r, %zero), direction=LT
//   %a = s32[] add(%r, %sixteen)           =>   uses of %s read %r
//   %s = s32[] select(%n, %a, %r)
//
// - a value that can only be one number becomes that constant (comparisons above all);
// - remainder, clamp, minimum, maximum, abs and masks that change nothing go;
// - a clamp that only repeats what dynamic-slice and dynamic-update-slice do to their indices goes;
// - a scatter of one window that is in range becomes a dynamic-update-slice;
// - dynamic-slice and dynamic-update-slice whose indices are all in range are marked
//   frontend_attributes={sinter_in_bounds="1"}: emitted code need not clamp them.
#include <algorithm>
#include <optional>

#include "passes/analysis/loops/ranges.h"
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

  // x + 3 < x + 2, or < x: the sums are of one value, and do not wrap.
  std::optional<Interval> compare_offsets(const Instruction& compare) const {
    const auto [x, a] = offset_of(*compare.operand(0));
    const auto [y, b] = offset_of(*compare.operand(1));
    if (x != y || !is_integer(x->shape.dtype)) return std::nullopt;
    return compare_range(*compare.attributes->direction, {a, a}, {b, b});
  }

  std::pair<const Instruction*, int64_t> offset_of(const Instruction& value) const {
    if (value.opcode != Opcode::kAdd) return {&value, 0};
    const std::optional<int64_t> offset = splat_integer(*value.operand(1));
    const std::optional<Interval> x = ranges_.of(*value.operand(0));
    const DType dtype = value.shape.dtype;
    if (!offset || !x || !is_integer(dtype)) return {&value, 0};
    if (!holds(dtype, *exact_result(Opcode::kAdd, *x, {*offset, *offset}))) return {&value, 0};
    return {value.operand(0), *offset};
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
