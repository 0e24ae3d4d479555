// Rules of simplify: dynamic slices, gathers of one window, reductions over nothing.
#include <algorithm>
#include <optional>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

// The start of a window of `size` within `extent` at this constant index, as HLO clamps it.
std::optional<int64_t> clamped_start(const Instruction& index, int64_t extent, int64_t size) {
  const int64_t last = extent - size;
  if (last == 0) return 0;
  const std::optional<int64_t> value = splat_integer(index);
  if (!value) return {};
  if (index.shape.dtype == DType::kU64 && *value < 0) return last;
  return std::clamp<int64_t>(*value, 0, last);
}

// An index that cannot matter, because the window is as large as the array, becomes 0; true if one did.
bool zero_idle_indices(Instruction& access, const Shape& window, size_t first_index) {
  bool changed = false;
  for (size_t d = 0; d < window.dims.size(); ++d) {
    Instruction* index = access.operand(first_index + d);
    if (window.dims[d] != access.operand(0)->shape.dims[d] || splat_integer(*index) == 0) continue;
    access.set_operand(first_index + d, insert_scalar(access, integer_literal(index->shape.dtype, 0)));
    changed = true;
  }
  return changed;
}

// Indices as one vector, which is the older form, become scalars; false where they are.
bool split_index_vector(Instruction& access, size_t first_index) {
  if (access.operands().size() == first_index || access.operand(first_index)->shape.rank() != 1) return false;
  Instruction* indices = access.operand(first_index);
  std::vector<Instruction*> operands(access.operands().begin(),
                                     access.operands().begin() + static_cast<std::ptrdiff_t>(first_index));
  GraphBuilder at(access);
  for (int64_t d = 0; d < access.operand(0)->shape.rank(); ++d) operands.push_back(at.element(indices, d));
  access.set_operands(operands);
  return true;
}

// One of the numbers 0, 1, 2, ... is the index itself, clamped.
Instruction* element_of_iota(Instruction& slice) {
  const Instruction& iota = *slice.operand(0);
  if (iota.opcode != Opcode::kIota || !is_integer(iota.shape.dtype)) return nullptr;
  const auto along = static_cast<size_t>(*iota.attributes->iota_dimension);
  Instruction* index = slice.operand(1 + along);
  const int64_t last = iota.shape.dims[along] - 1;
  const DType dtype = index->shape.dtype;
  const bool fits = last <= integer_max(dtype) && last <= integer_max(iota.shape.dtype);
  if (slice.shape.dims[along] != 1 || !index->shape.is_scalar() || !fits) return nullptr;
  GraphBuilder build(slice);
  Instruction* inside = build.make(Opcode::kClamp, {build.integer(dtype, 0), index, build.integer(dtype, last)});
  return build.splat(build.convert(inside, iota.shape.dtype), slice.shape.dims);
}

Instruction* simplify_dynamic_slice(Instruction& slice) {
  if (split_index_vector(slice, 1)) return &slice;
  Instruction* a = slice.operand(0);
  if (slice.shape.dims == a->shape.dims) return a;
  if (Instruction* number = element_of_iota(slice)) return number;
  std::vector<SliceBounds> bounds;
  for (size_t d = 0; d < slice.shape.dims.size(); ++d) {
    const std::optional<int64_t> start = clamped_start(*slice.operand(1 + d), a->shape.dims[d], slice.shape.dims[d]);
    if (!start) return zero_idle_indices(slice, slice.shape, 1) ? &slice : nullptr;
    bounds.push_back({*start, *start + slice.shape.dims[d], 1});
  }
  Attributes attributes;
  attributes.slice = std::move(bounds);
  become(slice, Opcode::kSlice, {a}, std::move(attributes));
  return &slice;
}

Instruction* simplify_dynamic_update_slice(Instruction& update) {
  Instruction* a = update.operand(0);
  Instruction* window = update.operand(1);
  if (window->shape.dims == a->shape.dims) return window;
  if (window->shape.element_count() == 0) return a;
  if (split_index_vector(update, 2)) return &update;
  return zero_idle_indices(update, window->shape, 2) ? &update : nullptr;
}

// True of what is made of no elements, but has some: no operand may be read for it.
bool is_made_of_nothing(const Instruction& value) {
  return value.shape.element_count() > 0 && value.operand(0)->shape.element_count() == 0 &&
         value.operand(0)->shape.is_static();
}

// Sums of no products.
Instruction* simplify_dot(Instruction& dot) {
  const DType dtype = dot.shape.dtype;
  if (!is_made_of_nothing(dot) || dtype == DType::kF8E8M0FNU) return nullptr;
  return insert_broadcast_like(dot, insert_scalar(dot, Literal(Shape::scalar(dtype))), dot.shape);
}

// A reduction of several arrays over nothing is their initial values.
Instruction* simplify_reduce_of_several(Instruction& reduce) {
  const Shape& array = reduce.operand(0)->shape;
  if (array.element_count() > 0 || !array.is_static()) return nullptr;
  std::vector<Instruction*> results;
  for (size_t i = 0; i < reduce.shape.elements.size(); ++i) {
    Instruction* init = reduce.operand(reduce.shape.elements.size() + i);
    results.push_back(insert_broadcast_like(reduce, init, reduce.shape.elements[i]));
  }
  become(reduce, Opcode::kTuple, results);
  return &reduce;
}

// A reduction over dimensions of size one applies its function once, to the initial value and the element;
// one over none is the initial value.
Instruction* simplify_reduce(Instruction& reduce) {
  if (reduce.shape.is_tuple()) return simplify_reduce_of_several(reduce);
  if (Instruction* value = simplify_sum_of_one(reduce)) return value;
  if (Instruction* value = simplify_boolean_product(reduce)) return value;
  if (Instruction* value = simplify_reduced_part(reduce)) return value;
  Instruction* a = reduce.operand(0);
  if (is_made_of_nothing(reduce)) return insert_broadcast_like(reduce, reduce.operand(1), reduce.shape);
  for (int64_t dim : reduce.attributes->dimensions.value()) {
    if (a->shape.dims[static_cast<size_t>(dim)] != 1) return nullptr;
  }
  const Computation& function = *reduce.attributes->to_apply.value();
  if (!a->shape.is_static() || !is_elementwise_function(function)) return nullptr;
  Instruction* init = insert_broadcast_like(reduce, reduce.operand(1), reduce.shape);
  return inline_elementwise(reduce, function, {init, insert_reshape(reduce, a, reduce.shape.dims)}, reduce.shape);
}

// One window of all elements along some dimensions, and of each element along the others, is a reduction; windows of
// one element each apply the function once.
Instruction* simplify_reduce_window(Instruction& reduce) {
  const Shape& array = reduce.operand(0)->shape;
  if (reduce.operands().size() != 2) return nullptr;
  if (is_made_of_nothing(reduce)) return insert_broadcast_like(reduce, reduce.operand(1), reduce.shape);
  if (!array.is_static() || !simple_combiner(**reduce.attributes->to_apply)) return nullptr;
  std::vector<WindowDimension> window = reduce.attributes->window.value_or(std::vector<WindowDimension>{});
  window.resize(array.dims.size());
  std::vector<int64_t> dimensions;
  for (int64_t d = 0; d < array.rank(); ++d) {
    const WindowDimension& along = window[d];
    const int64_t extent = array.dims[d], last = (extent - 1) * along.lhs_dilate + along.pad_low;
    const bool each =
        along.size == 1 && along.stride == 1 && along.pad_low == 0 && along.pad_high == 0 && along.lhs_dilate == 1;
    const bool all =
        extent > 1 && reduce.shape.dims[d] == 1 && along.rhs_dilate == 1 && along.pad_low >= 0 && last < along.size;
    if (all) dimensions.push_back(d);
    if (!each && !all) return nullptr;
  }
  if (dimensions.empty()) {
    Instruction* init = insert_broadcast_like(reduce, reduce.operand(1), reduce.shape);
    return inline_elementwise(reduce, **reduce.attributes->to_apply, {init, reduce.operand(0)}, reduce.shape);
  }
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < array.rank(); ++d) {
    if (std::find(dimensions.begin(), dimensions.end(), d) == dimensions.end()) dims.push_back(array.dims[d]);
  }
  Attributes attributes;
  attributes.dimensions = std::move(dimensions);
  attributes.to_apply = reduce.attributes->to_apply;
  Instruction* value = insert_like(reduce, Opcode::kReduce, Shape::array(reduce.shape.dtype, dims),
                                   {reduce.operand(0), reduce.operand(1)}, std::move(attributes));
  return insert_reshape(reduce, value, reduce.shape.dims);
}

}  // namespace

Instruction* simplify_window(Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kDynamicSlice:
      return simplify_dynamic_slice(instruction);
    case Opcode::kDynamicUpdateSlice:
      return simplify_dynamic_update_slice(instruction);
    case Opcode::kGather:
      return simplify_gather(instruction);
    case Opcode::kScatter:
      return simplify_scatter(instruction);
    case Opcode::kDot:
      return simplify_dot(instruction);
    case Opcode::kReduce:
      return simplify_reduce(instruction);
    case Opcode::kReduceWindow:
      return simplify_reduce_window(instruction);
    default:
      return nullptr;
  }
}

}  // namespace sinter
