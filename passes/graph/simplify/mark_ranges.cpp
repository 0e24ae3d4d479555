// mark_ranges: what is known of the integers that indices are read from.
//
//   %at = s32[64] get-tuple-element(%sorted), index=1      =>   the same, frontend_attributes={sinter_range="0..63"}
//   %rows = f32[64,8] gather(%x, %at), ...
//
// Starts of gathers, of dynamic slices and of updates are clamped, and windows of scatters tested, where they may lie
// outside. Kernels know the ranges of sums and quotients of coordinates themselves; of values that they load or choose
// they know what stands here. A mark already in the text is made anew.
#include "passes/graph/simplify/mark_ranges.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "passes/analysis/loops/ranges.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/values/known_range.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// The operands that say where an operation reads or writes.
std::vector<const Instruction*> starts(const Instruction& instruction) {
  const std::vector<Instruction*>& operands = instruction.operands();
  const auto from = [&](size_t first, size_t count) {
    return std::vector<const Instruction*>(operands.begin() + static_cast<std::ptrdiff_t>(first),
                                           operands.begin() + static_cast<std::ptrdiff_t>(first + count));
  };
  switch (instruction.opcode) {
    case Opcode::kGather:
      return from(1, 1);
    case Opcode::kDynamicSlice:
      return from(1, operands.size() - 1);
    case Opcode::kDynamicUpdateSlice:
      return from(2, operands.size() - 2);
    case Opcode::kScatter:
      return from((operands.size() - 1) / 2, 1);
    default:
      return {};
  }
}

// Whether its elements are elements of its operands.
bool moves_elements(const Instruction& value) {
  switch (value.opcode) {
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kSlice:
    case Opcode::kReverse:
    case Opcode::kConcatenate:
    case Opcode::kOptBarrier:
    case Opcode::kConvert:
      return true;
    default:
      return false;
  }
}

class Marks {
 public:
  explicit Marks(Module& module) : ranges_(module) {
    for (const Instruction* loop : instructions_of(module, Opcode::kWhile)) {
      const WhileInfo info = analyze_while(*loop);
      for (const Computation* part : {*loop->attributes->body, *loop->attributes->condition}) {
        for (const Instruction* read : part->parameters()[0]->users()) {
          if (read->opcode != Opcode::kGetTupleElement) continue;
          const Carry& carry = info.carries[static_cast<size_t>(*read->attributes->tuple_index)];
          if (carry.kind == CarryKind::kInduction) counters_.insert(read);
        }
      }
    }
  }

  void add(const Instruction* start) {
    std::vector<const Instruction*> open = {start};
    while (!open.empty()) {
      const Instruction* value = open.back();
      open.pop_back();
      if (!value->shape.is_array() || !is_integer(value->shape.dtype) || !seen_.insert(value).second) continue;
      if (!moves_elements(*value)) continue;
      for (const Instruction* operand : value->operands()) open.push_back(operand);
    }
  }

  // The mark's text; empty for none.
  std::string mark_of(const Instruction& value) const {
    const bool is_known = value.opcode == Opcode::kConstant || value.opcode == Opcode::kIota || moves_elements(value);
    if (!seen_.contains(&value) || is_known || is_counted(value)) return "";
    const std::optional<Interval> range = ranges_.of(value);
    const std::optional<Interval> whole = whole_range(value.shape.dtype);
    // A bound that no array reaches says nothing.
    if (!range || !whole || (range->low < 0 && range->high > whole->high / 2) || range == whole) return "";
    return std::to_string(range->low) + ".." + std::to_string(range->high);
  }

 private:
  // A coordinate or a loop's counter, whose ranges kernels know, or what they make of these.
  bool is_counted(const Instruction& value, int depth = 0) const {
    constexpr int kMaxDepth = 8;
    if (depth > kMaxDepth) return false;
    switch (value.opcode) {
      case Opcode::kIota:
      case Opcode::kConstant:
        return true;
      case Opcode::kGetTupleElement:
        return counters_.contains(&value);
      case Opcode::kRemainder:
      case Opcode::kDivide:
        if (ranges_.of(*value.operand(0)).value_or(Interval{-1, 0}).low < 0) return false;
        [[fallthrough]];
      case Opcode::kAdd:
      case Opcode::kSubtract:
      case Opcode::kMultiply:
      case Opcode::kConvert:
      case Opcode::kBroadcast:
      case Opcode::kReshape:
        return std::all_of(value.operands().begin(), value.operands().end(),
                           [&](const Instruction* operand) { return is_counted(*operand, depth + 1); });
      default:
        return false;
    }
  }

  Ranges ranges_;
  std::unordered_set<const Instruction*> counters_;
  std::unordered_set<const Instruction*> seen_;
};

}  // namespace

bool mark_ranges(Module& module, const GraphPassOptions&) {
  Marks marks(module);
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      for (const Instruction* start : starts(instruction)) marks.add(start);
    }
  }
  bool changed = false;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      const std::string mark = marks.mark_of(instruction);
      const auto& known = instruction.annotations->frontend_attributes;
      const auto found = known.find(kRangeAttribute);
      if (mark == (found == known.end() ? "" : found->second)) continue;
      auto& attributes = instruction.annotations.edit().frontend_attributes;
      attributes.erase(kRangeAttribute);
      if (!mark.empty()) attributes[kRangeAttribute] = mark;
      changed = true;
    }
  }
  return changed;
}

}  // namespace sinter
