// batch_loops: a loop whose steps need nothing of each other, and only move, combine or reduce elements, is what it
// does on whole arrays: all that a step computes has one more dimension, the step.
//
//   body:  %x = f32[1,8] dynamic-slice(%xs, %t, 0)                    %sines = f32[50,8] sine(%xs)
//          %y = f32[1,8] sine(%x)                             =>
//          %ys = f32[50,8] dynamic-update-slice(%old, %y, %t, 0)
//
// jax.lax.map and scans that carry nothing are such loops. What they make is computed with what stands around them.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

// Which dimension of an array the steps walk along, step t at `start` + t, or backwards from there.
struct Walk {
  size_t dimension = 0;
  int64_t start = 0;
  bool backwards = false;
};

Dims without(Dims dims, size_t dimension) {
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(dimension));
  return dims;
}
// One dimension further on.
Dims shifted(Dims dims) {
  for (int64_t& dim : dims) ++dim;
  return dims;
}
Dims counted(size_t first, size_t count) {
  Dims result;
  for (size_t i = 0; i < count; ++i) result.push_back(static_cast<int64_t>(first + i));
  return result;
}

class Batch {
 public:
  Batch(const CarriedLoop& loop, const WhileInfo& info) : loop_(loop), info_(info), trip_(*info.trip_count) {}

  bool is_possible() {
    for (const Instruction& instruction : loop_.body().instructions()) note_dependence(instruction);
    if (!loop_.is_taken_apart() || !loop_.condition().root()->shape.is_scalar()) return false;
    for (size_t i = 0; i < loop_.count(); ++i) {
      if (loop_.init(i) == nullptr || loop_.next(i) == nullptr) return false;
      if (info_.carries[i].kind != CarryKind::kGeneral) {
        largest_ = std::max(largest_, loop_.init(i)->shape.bytes());
        continue;
      }
      if (!fills(i)) return false;
      largest_ = std::max(largest_, loop_.next(i)->shape.bytes());
    }
    for (const Instruction& instruction : loop_.body().instructions()) {
      if (&instruction != loop_.body().root() && !supports(instruction)) return false;
    }
    return true;
  }

  void run() {
    GraphBuilder at(loop_.loop());
    // In their order, operands first.
    for (const Instruction& instruction : loop_.body().instructions()) {
      if (!instruction.shape.is_array() || is_filled_array(instruction)) continue;
      if (depends_on_step(instruction)) {
        batched_[&instruction] = of_steps(at, instruction);
      } else {
        common_.emplace(&instruction, common(instruction));
      }
    }
    for (size_t i = 0; i < loop_.count(); ++i) {
      Value result = loop_.init(i);
      const Carry& carry = info_.carries[i];
      if (carry.kind == CarryKind::kInduction)
        result = at.integer(result->shape.dtype, carry.start + trip_ * carry.step);
      if (carry.kind == CarryKind::kGeneral) result = all_steps(at, i);
      for (Instruction* read : loop_.reads_after(i)) read->replace_all_uses_with(result);
    }
  }

 private:
  // What counts the steps: a counter, more or less a constant, or a constant less it, as in scans in reverse.
  std::optional<Carry> counts(const Instruction& value) const {
    if (const std::optional<size_t> carry = carry_read(value)) {
      const Carry& counter = info_.carries[*carry];
      return counter.kind == CarryKind::kInduction ? std::optional(counter) : std::nullopt;
    }
    const bool subtracts = value.opcode == Opcode::kSubtract;
    // A narrower type may wrap within an array's indices.
    if ((!subtracts && value.opcode != Opcode::kAdd) || dtype_bits(value.shape.dtype) < 32) return std::nullopt;
    for (const size_t side : {0, 1}) {
      const std::optional<int64_t> number = splat_integer(*value.operand(side));
      if (number && std::abs(*number) > INT32_MAX) return std::nullopt;
      const std::optional<Carry> counter = number ? counts(*value.operand(1 - side)) : std::nullopt;
      if (!counter) continue;
      if (!subtracts) return Carry{CarryKind::kInduction, counter->start + *number, counter->step};
      if (side == 1) return Carry{CarryKind::kInduction, counter->start - *number, counter->step};
      return Carry{CarryKind::kInduction, *number - counter->start, -counter->step};
    }
    return std::nullopt;
  }

  // Notes the one dimension along which a dynamic slice or update walks, whose starts are the operands from `first` on.
  bool walks(const Instruction& instruction, size_t first, const Dims& whole, const Dims& piece) {
    std::optional<Walk> result;
    for (size_t d = 0; d < whole.size(); ++d) {
      const Instruction& start = *instruction.operand(first + d);
      const std::optional<Carry> counter = counts(start);
      if (!counter) {
        if (piece[d] != whole[d] || splat_integer(start) != 0) return false;
        continue;
      }
      const int64_t last = counter->start + (trip_ - 1) * counter->step;
      const bool inside = std::min(counter->start, last) >= 0 && std::max(counter->start, last) < whole[d];
      if (result || piece[d] != 1 || !inside || std::abs(counter->step) != 1) return false;
      result = Walk{d, counter->start, counter->step < 0};
    }
    if (result) walks_[&instruction] = *result;
    return result.has_value();
  }

  // Of a carry: each step updates an element of one dimension, and all do all.
  bool fills(size_t i) {
    if (!is_filled(loop_, i)) return false;
    const Instruction& update = *loop_.next(i);
    return walks(update, 2, update.shape.dims, update.operand(1)->shape.dims) &&
           update.shape.dims[walks_.at(&update).dimension] == trip_;
  }

  bool is_filled_array(const Instruction& instruction) const {
    const std::optional<size_t> carry = carry_read(instruction);
    const bool is_update = instruction.opcode == Opcode::kDynamicUpdateSlice;
    if (is_update) return instruction.users().size() == 1 && instruction.users()[0] == loop_.body().root();
    return carry && info_.carries[*carry].kind == CarryKind::kGeneral;
  }

  bool supports(const Instruction& instruction) {
    if (is_filled_array(instruction)) return true;
    if (!instruction.shape.is_array()) return instruction.opcode == Opcode::kParameter;
    // No value of all steps is larger than what the loop reads or gives anyway; numbers are no arrays to speak of.
    if (depends_on_step(instruction) && instruction.shape.bytes() > largest_ / trip_ &&
        instruction.shape.element_count() > 1)
      return false;
    if (family_of(instruction) == Family::kElementwise) return true;
    switch (instruction.opcode) {
      case Opcode::kGetTupleElement:
        return carry_read(instruction).has_value();
      case Opcode::kConstant:
      case Opcode::kBroadcast:
      case Opcode::kReshape:
      case Opcode::kTranspose:
      case Opcode::kSlice:
      case Opcode::kReverse:
      case Opcode::kConcatenate:
      case Opcode::kIota:
        return true;
      case Opcode::kReduce:
        return instruction.operands().size() == 2 && !depends_on_step(*instruction.operand(1));
      case Opcode::kDynamicSlice:
        return !depends_on_step(*instruction.operand(0)) &&
               walks(instruction, 1, instruction.operand(0)->shape.dims, instruction.shape.dims);
      default:
        return false;
    }
  }

  void note_dependence(const Instruction& value) {
    const std::optional<size_t> carry = carry_read(value);
    bool& depends = depends_[&value];
    if (carry) {
      depends = info_.carries[*carry].kind == CarryKind::kInduction;
    } else {
      for (const Instruction* operand : value.operands()) depends |= depends_on_step(*operand);
    }
  }
  bool depends_on_step(const Instruction& value) const { return depends_.at(&value); }

  Value all_steps(GraphBuilder& at, size_t i) {
    const Instruction& update = *loop_.next(i);
    const Walk along = walks_.at(&update);
    const Instruction& piece = *update.operand(1);
    const Dims rest = without(piece.shape.dims, along.dimension);
    Value pieces = at.reshape(batched(at, piece), with_steps(trip_, rest));
    Dims back = counted(1, along.dimension);
    back.push_back(0);
    const Dims after = counted(1 + along.dimension, rest.size() - along.dimension);
    back.insert(back.end(), after.begin(), after.end());
    Value result = along.dimension == 0 ? pieces : at.transpose(pieces, back);
    return along.backwards ? at.reverse(result, static_cast<int64_t>(along.dimension)) : result;
  }

  // A value that is the same in all steps.
  Value common(const Instruction& value) const {
    if (const std::optional<size_t> carry = carry_read(value)) return loop_.init(*carry);
    std::vector<Value> operands;
    for (const Instruction* operand : value.operands()) operands.push_back(common_.at(operand));
    return loop_.loop().parent()->add_copy(value, operands, &loop_.loop());
  }

  Value batched(GraphBuilder& at, const Instruction& value) {
    Value& result = batched_[&value];
    if (result != nullptr) return result;
    const Value one = common_.at(&value);
    return result = at.broadcast(one, with_steps(trip_, one->shape.dims), counted(1, one->shape.dims.size()));
  }

  Value of_steps(GraphBuilder& at, const Instruction& value) {
    if (const std::optional<size_t> carry = carry_read(value)) {
      const Carry& counter = info_.carries[*carry];
      const DType dtype = value.shape.dtype;
      const Value steps = at.iota(dtype, {trip_}, 0);
      const Value scaled = counter.step == 1 ? steps : at.multiply({steps, at.integer(dtype, counter.step, {trip_})});
      return counter.start == 0 ? scaled : at.add({scaled, at.integer(dtype, counter.start, {trip_})});
    }
    const Dims dims = with_steps(trip_, value.shape.dims);
    const auto operand = [&](size_t i) { return batched(at, *value.operand(i)); };
    const auto dimensions = [&] { return *value.attributes->dimensions; };
    switch (value.opcode) {
      case Opcode::kBroadcast: {
        Dims where = shifted(dimensions());
        where.insert(where.begin(), 0);
        return at.broadcast(operand(0), dims, where);
      }
      case Opcode::kReshape:
        return at.reshape(operand(0), dims);
      case Opcode::kTranspose: {
        Dims permutation = shifted(dimensions());
        permutation.insert(permutation.begin(), 0);
        return at.transpose(operand(0), permutation);
      }
      case Opcode::kDynamicSlice:
        return walked(at, value);
      default:
        break;
    }
    // The instruction itself, with another dimension.
    std::vector<Value> operands;
    for (size_t i = 0; i < value.operands().size(); ++i) {
      const bool initial = value.opcode == Opcode::kReduce && i == 1;
      Value part = initial ? common_.at(value.operand(1)) : operand(i);
      // A scalar that stands for all elements: of select and clamp.
      const bool scalar = value.operand(i)->shape.is_scalar() && !value.shape.is_scalar() && !initial;
      if (scalar && family_of(value) == Family::kElementwise) part = at.broadcast(part, dims, {0});
      operands.push_back(part);
    }
    Value copy = loop_.loop().parent()->add_copy(value, operands, &loop_.loop());
    copy->shape.dims = dims;
    copy->shape.layout.reset();
    if (value.attributes->dimensions) copy->attributes.edit().dimensions = shifted(dimensions());
    if (value.attributes->slice) {
      std::vector<SliceBounds> slices = *value.attributes->slice;
      slices.insert(slices.begin(), {0, trip_, 1});
      copy->attributes.edit().slice = std::move(slices);
    }
    return copy;
  }

  // What the steps read of an array that they walk along.
  Value walked(GraphBuilder& at, const Instruction& slice) {
    Value array = common_.at(slice.operand(0));
    const Walk along = walks_.at(&slice);
    const auto dimension = static_cast<int64_t>(along.dimension);
    const int64_t first = along.backwards ? along.start - trip_ + 1 : along.start;
    if (trip_ != array->shape.dims[along.dimension]) array = at.slice(array, dimension, first, first + trip_);
    if (along.backwards) array = at.reverse(array, dimension);
    Dims front = {dimension};
    for (int64_t d = 0; d < std::ssize(array->shape.dims); ++d) {
      if (d != dimension) front.push_back(d);
    }
    if (dimension != 0) array = at.transpose(array, front);
    return at.reshape(array, with_steps(trip_, slice.shape.dims));
  }

  const CarriedLoop& loop_;
  const WhileInfo& info_;
  const int64_t trip_;
  int64_t largest_ = 0;  // bytes of an array that the loop reads or gives
  std::unordered_map<const Instruction*, bool> depends_;
  std::unordered_map<const Instruction*, Walk> walks_;
  std::unordered_map<const Instruction*, Value> common_, batched_;  // of one step; of all
};

bool batch(Instruction& instruction, const ComputationSet& effects) {
  const WhileInfo info = analyze_while(instruction);
  if (!info.trip_count || *info.trip_count == 0 || has_effect(instruction, effects)) return false;
  const CarriedLoop loop(instruction);
  Batch batch(loop, info);
  if (!batch.is_possible()) return false;
  batch.run();
  return true;
}

}  // namespace

bool batch_loops(Module& module, const GraphPassOptions&) {
  const ComputationSet effects = computations_with_effects(module);
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= batch(*loop, effects);
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
