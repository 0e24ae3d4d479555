#include "passes/graph/parts/partial_reduction.h"

#include <algorithm>
#include <set>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/loops/stacked_reductions.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/base/try_combiner.h"

namespace sinter {

std::optional<PartialReduction> PartialReduction::of(Instruction& reduce) {
  PartialReduction result(reduce);
  const size_t count = reduce.operands().size() / 2;
  const Computation& function = **reduce.attributes->to_apply;
  if (const std::optional<Opcode> combiner = count == 1 ? simple_combiner(function) : std::nullopt) {
    const std::optional<Literal> nothing = part_beginning(*combiner, sum_type(reduce.shape.dtype), *reduce.operand(1));
    if (!nothing) return std::nullopt;
    result.combiner_ = *combiner;
    result.nothing_ = {*nothing};
    return result;
  }
  const std::vector<int64_t>& dimensions = *reduce.attributes->dimensions;
  if (!std::is_sorted(dimensions.begin(), dimensions.end())) return std::nullopt;
  ElementValues known;
  for (size_t i = 0; i < count; ++i) {
    const std::optional<Literal> initial = splat_value(*reduce.operand(count + i));
    if (!initial) return std::nullopt;
    result.nothing_.push_back(*initial);
    known.push_back(splat_value(*reduce.operand(i)));
  }
  if (!may_be_parted(function, result.nothing_, known)) return std::nullopt;
  return result;
}

std::vector<GraphBuilder::Value> PartialReduction::reduced(GraphBuilder& build, const std::vector<Value>& arrays,
                                                           const std::vector<int64_t>& dimensions) const {
  std::vector<Value> operands = arrays;
  operands.insert(operands.end(), beginnings_.begin(), beginnings_.end());
  if (arrays[0]->shape.dtype != reduce_->operand(0)->shape.dtype)
    return {build.reduce(arrays[0], operands[1], dimensions, combiner_, *reduce_->parent()->parent())};
  Attributes attributes = reduce_->attributes;
  attributes.dimensions = dimensions;
  const Value made = build.make(Opcode::kReduce, operands, std::move(attributes));
  if (arrays.size() == 1) return {made};
  std::vector<Value> results;
  for (size_t i = 0; i < arrays.size(); ++i) results.push_back(build.tuple_element(made, static_cast<int64_t>(i)));
  return results;
}

void PartialReduction::finish(GraphBuilder& build, const std::vector<Value>& arrays,
                              const std::vector<int64_t>& dimensions, Value rest) {
  const DType type = arrays[0]->shape.dtype;
  if (type != reduce_->operand(0)->shape.dtype || rest != nullptr) {
    const Value initial = build.convert(reduce_->operand(1), type);
    Value result = build.reduce(arrays[0], initial, dimensions, combiner_, *reduce_->parent()->parent());
    if (type == reduce_->operand(0)->shape.dtype) return become(*reduce_, combiner_, {result, rest});
    if (rest != nullptr) result = build.make(combiner_, {result, rest});
    become(*reduce_, Opcode::kConvert, {result});
    return;
  }
  std::vector<Value> operands = arrays;
  for (size_t i = 0; i < arrays.size(); ++i) operands.push_back(reduce_->operand(arrays.size() + i));
  Attributes attributes = reduce_->attributes;
  attributes.dimensions = dimensions;
  become(*reduce_, Opcode::kReduce, operands, std::move(attributes));
}

void PartialReduction::write_beginnings(GraphBuilder& build) {
  if (!beginnings_.empty()) return;
  for (const Literal& nothing : nothing_) beginnings_.push_back(build.constant(nothing));
}

void PartialReduction::reduce_arrays(GraphBuilder& build, std::vector<Value> arrays,
                                     const std::vector<std::vector<int64_t>>& steps, Value rest) {
  std::set<int64_t> gone;
  for (size_t step = 0; step < steps.size(); ++step) {
    std::vector<int64_t> dimensions;
    for (const int64_t d : steps[step]) dimensions.push_back(d - std::distance(gone.begin(), gone.lower_bound(d)));
    std::sort(dimensions.begin(), dimensions.end());
    if (step + 1 == steps.size()) return finish(build, arrays, dimensions, rest);
    arrays = reduced(build, arrays, dimensions);
    gone.insert(steps[step].begin(), steps[step].end());
  }
}

void PartialReduction::in_steps(const std::vector<std::vector<int64_t>>& steps) {
  GraphBuilder build(*reduce_);
  write_beginnings(build);
  std::vector<Value> arrays;
  for (size_t i = 0; i < nothing_.size(); ++i)
    arrays.push_back(build.convert(reduce_->operand(i), nothing_[i].shape().dtype));
  reduce_arrays(build, std::move(arrays), steps);
}

void PartialReduction::in_parts(const RowExtents& rows, int64_t part) {
  // [outer, columns, inner], cut into [outer, parts, part, inner].
  const int64_t outer = reduce_->attributes->dimensions->front();
  const bool simple = simple_combiner(**reduce_->attributes->to_apply).has_value();
  const int64_t left_over = simple && rows.columns % part < kFewReduced ? rows.columns % part : 0;
  const int64_t whole = rows.columns - left_over;
  const int64_t parts = ceil_div(whole, part), missing = parts * part - whole;
  const std::vector<int64_t> kept = reduce_->shape.is_tuple() ? reduce_->shape.elements[0].dims : reduce_->shape.dims;
  const auto around = [&](const std::vector<int64_t>& middle) {
    std::vector<int64_t> dims = kept;
    dims.insert(dims.begin() + outer, middle.begin(), middle.end());
    return dims;
  };
  GraphBuilder build(*reduce_);
  write_beginnings(build);
  std::vector<Value> arrays;
  Value rest = nullptr;
  for (size_t i = 0; i < nothing_.size(); ++i) {
    Value all = build.convert(reduce_->operand(i), nothing_[i].shape().dtype);
    if (left_over > 0) {
      all = build.reshape(all, around({rows.columns}));
      const Value last = build.slice(all, outer, whole, rows.columns);
      rest = build.reduce(last, beginnings_[i], {outer}, combiner_, *reduce_->parent()->parent());
      all = build.slice(all, outer, 0, whole);
    } else if (missing > 0) {
      all = build.reshape(all, around({rows.columns}));
      std::vector<PadBounds> bounds(all->shape.dims.size());
      bounds[outer].high = missing;
      all = build.pad(all, bounds, beginnings_[i]);
    }
    arrays.push_back(build.reshape(all, around({parts, part})));
  }
  reduce_arrays(build, std::move(arrays), {{outer + 1}, {outer}}, rest);
}

std::vector<Instruction*> reductions_to_split(Module& module) {
  InstructionSet stacked;
  std::set<const Computation*> conditions;  // asked for a computation alone: their order means nothing
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) {
    conditions.insert(*loop->attributes->condition);
    stacked.merge(stacked_reductions(CarriedLoop(*loop)));
  }
  std::vector<Instruction*> reductions = instructions_of(module, Opcode::kReduce);
  std::erase_if(reductions, [&](const Instruction* reduce) {
    return conditions.count(reduce->parent()) > 0 || stacked.count(reduce) > 0;
  });
  return reductions;
}

int64_t near_divisor(int64_t length, int64_t wanted) {
  for (int64_t distance = 0; distance <= wanted; ++distance) {
    if (length % (wanted + distance) == 0) return wanted + distance;
    if (distance <= wanted / 2 && length % (wanted - distance) == 0) return wanted - distance;
  }
  // No part but the last is filled up, and there is none for a few elements.
  return ceil_div(length, std::max<int64_t>((length + wanted / 2) / wanted, 1));
}

int64_t near_part(int64_t length, int64_t wanted) {
  const int64_t divisor = near_divisor(length, wanted);
  if (length % divisor == 0) return divisor;
  for (const int64_t multiple : {kWarp, int64_t{1}}) {
    for (int64_t distance = 0; distance <= wanted / 2; ++distance) {
      for (const int64_t part : {wanted + distance, wanted - distance}) {
        if (part % multiple == 0 && part > kFewReduced && length % part < kFewReduced) return part;
      }
    }
  }
  return divisor;
}

}  // namespace sinter
