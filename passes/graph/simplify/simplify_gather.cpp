// Rules of simplify: gathers and scatters whose places are known.
#include <algorithm>
#include <cmath>
#include <optional>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/progression.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

// A gather of a single window is a dynamic slice; both clamp.
Instruction* gather_of_one(Instruction& gather) {
  const Attributes& attributes = gather.attributes;
  Instruction* source = gather.operand(0);
  Instruction* indices = gather.operand(1);
  const auto vector_dim = static_cast<size_t>(attributes.index_vector_dim.value());
  const std::vector<int64_t> start_map = attributes.start_index_map.value_or(std::vector<int64_t>());
  if (!attributes.operand_batching_dims.value_or(std::vector<int64_t>()).empty()) return nullptr;
  for (size_t d = 0; d < indices->shape.dims.size(); ++d) {
    if (d != vector_dim && indices->shape.dims[d] != 1) return nullptr;
  }
  const auto count = static_cast<int64_t>(start_map.size());
  if (count != indices->shape.element_count()) return nullptr;

  Instruction* zero = insert_scalar(gather, integer_literal(indices->shape.dtype, 0));
  std::vector<Instruction*> operands{source};
  operands.resize(1 + source->shape.dims.size(), zero);
  Instruction* list = insert_reshape(gather, indices, {count});
  for (int64_t k = 0; k < count; ++k) {
    Instruction* element = list;
    if (count > 1) {
      Attributes one;
      one.slice = {{k, k + 1, 1}};
      element = insert_like(gather, Opcode::kSlice, Shape::array(indices->shape.dtype, {1}), {list}, std::move(one));
    }
    operands[1 + static_cast<size_t>(start_map[static_cast<size_t>(k)])] = insert_reshape(gather, element, {});
  }
  Attributes sizes;
  sizes.dynamic_slice_sizes = attributes.slice_sizes.value();
  Shape window = Shape::array(gather.shape.dtype, attributes.slice_sizes.value());
  Instruction* slice = insert_like(gather, Opcode::kDynamicSlice, std::move(window), operands, std::move(sizes));
  become(gather, Opcode::kReshape, {slice});
  return &gather;
}

// Places, and the numbers that they are made of, are no larger: products of two are exact.
constexpr int64_t kMost = INT32_MAX;

// Whether the type holds all `count` elements: then no arithmetic has wrapped.
bool is_held(const Progression& places, int64_t count, DType dtype) {
  const int64_t begin = places.first, end = places.element(count - 1);
  const int64_t low = std::max(integer_min(dtype), -kMost), high = std::min(integer_max(dtype), kMost);
  return std::abs(places.step) <= kMost && std::min(begin, end) >= low && std::max(begin, end) <= high;
}

std::optional<Progression> progression_of(const Instruction& value);

// Negative indices count from the end, where there are any: select(index < 0, index + n, index).
std::optional<Progression> without_wrapping(const Instruction& select) {
  const Instruction &test = *select.operand(0), &index = *select.operand(2);
  if (test.opcode != Opcode::kCompare || test.operand(0) != &index || test.attributes->direction != "LT" ||
      splat_integer(*test.operand(1)) != 0)
    return std::nullopt;
  const std::optional<Progression> places = progression_of(index);
  const bool counts_from_end = places && std::min(places->first, places->element(index.shape.element_count() - 1)) < 0;
  return counts_from_end ? std::nullopt : places;
}

// Integers that are made of one iota, and constants: of element i of them.
std::optional<Progression> progression_of(const Instruction& value) {
  const int64_t count = value.shape.element_count();
  if (!is_integer(value.shape.dtype) || count == 0 || count > kMost) return std::nullopt;
  if (value.opcode == Opcode::kReshape) return progression_of(*value.operand(0));
  if (value.opcode == Opcode::kSelect) return without_wrapping(value);
  std::optional<Progression> result;
  if (value.opcode == Opcode::kIota) {
    if (value.shape.dims[static_cast<size_t>(value.attributes->iota_dimension.value())] == count) result.emplace();
  } else if (value.opcode == Opcode::kAdd || value.opcode == Opcode::kMultiply || value.opcode == Opcode::kDivide) {
    const std::optional<int64_t> number = splat_integer(*value.operand(1));
    if (!number || std::max(*number, -*number) > kMost) return std::nullopt;
    result = progression_of(*value.operand(0));
    if (!result) return std::nullopt;
    if (value.opcode == Opcode::kAdd) {
      result->first += *number;
    } else if (value.opcode == Opcode::kMultiply) {
      result->first *= *number;
      result->step *= *number;
    } else {
      if (*number <= 0 || result->step != 1 || result->repeats != 1 || result->first < 0) return std::nullopt;
      result->repeats = *number;
      result->shift = result->first % *number;
      result->first /= *number;
    }
  }
  return result && is_held(*result, count, value.shape.dtype) ? result : std::nullopt;
}

// The rows of an array, along one dimension, that are read or written at places in a progression.
struct Rows {
  int64_t along = 0, count = 0;
  Progression places;
  int64_t distinct = 0, last = 0;  // rows, and the last of them
  int64_t before = 0;              // so many other dimensions of the array stand before them in what has all `count`

  int64_t least() const { return std::min(places.first, last); }
  int64_t most() const { return std::max(places.first, last); }
};

// Of an array whose dimensions `index_map` have places from `indices`, which windows do without if they are `single`;
// `shape` has a window for each, whose dimensions are `window_dims`. nullopt: other windows, or places outside.
std::optional<Rows> rows_of(const Shape& array, const Instruction& indices, const std::vector<int64_t>& index_map,
                            const std::vector<int64_t>& single, const Shape& shape,
                            const std::vector<int64_t>& window_dims) {
  if (index_map.size() != 1 || single != index_map || !array.is_static()) return std::nullopt;
  Rows rows;
  rows.along = index_map[0];
  rows.count = indices.shape.element_count();
  const std::optional<Progression> places = progression_of(indices);
  if (!places || rows.count < 2 || places->step == 0) return std::nullopt;
  rows.places = *places;
  rows.distinct = (rows.count - 1 + places->shift) / places->repeats + 1;
  rows.last = places->element(rows.count - 1);
  // Of a row that is repeated much more often than there are places most would be made to be dropped.
  if (rows.distinct * places->repeats > 2 * rows.count) return std::nullopt;
  const int64_t extent = array.dims[static_cast<size_t>(rows.along)];
  if (rows.least() < 0 || rows.most() >= extent) return std::nullopt;
  rows.before = -1;
  for (int64_t dim = 0, passed = 0; dim < shape.rank(); ++dim) {
    const bool is_window = std::find(window_dims.begin(), window_dims.end(), dim) != window_dims.end();
    const int64_t size = shape.dims[static_cast<size_t>(dim)];
    if (is_window) {
      const int64_t of_array = passed < rows.along ? passed : passed + 1;
      if (size != array.dims[static_cast<size_t>(of_array)]) return std::nullopt;
      ++passed;
    } else if (size == rows.count) {
      rows.before = passed;
    }
  }
  return rows.before < 0 ? std::nullopt : std::optional(rows);
}

// Dimensions of the array in the order of what has all rows.
std::vector<int64_t> order_of(const Rows& rows, int64_t rank) {
  std::vector<int64_t> order = iota_list(rank);
  order.erase(order.begin() + rows.along);
  order.insert(order.begin() + rows.before, rows.along);
  return order;
}

// Rows that follow one another, each once or some times, are a slice, which is spread: a picture of twice the size is.
//
//   %y = f32[8,128,3] gather(f32[8,64,3] %x, iota / 2)    =>    f32[8,128,3] reshape(f32[8,64,2,3] broadcast(%x))
Instruction* gather_of_rows(Instruction& gather) {
  const Attributes& attributes = gather.attributes;
  const Shape& source = gather.operand(0)->shape;
  if (!attributes.operand_batching_dims.value_or(std::vector<int64_t>()).empty()) return nullptr;
  const std::optional<Rows> rows = rows_of(source, *gather.operand(1), *attributes.start_index_map,
                                           *attributes.collapsed_slice_dims, gather.shape, *attributes.offset_dims);
  if (!rows) return nullptr;
  const Progression& places = rows->places;
  const auto along = static_cast<size_t>(rows->along);
  GraphBuilder at(gather);
  Attributes bounds;
  std::vector<SliceBounds>& slice = bounds.slice.emplace();
  for (const int64_t extent : source.dims) slice.push_back({0, extent, 1});
  slice[along] = {rows->least(), rows->most() + 1, std::abs(places.step)};
  Instruction* value = at.make(Opcode::kSlice, {gather.operand(0)}, bounds);
  if (places.step < 0) value = at.reverse(value, rows->along);
  if (places.repeats > 1) {
    std::vector<int64_t> dims = value->shape.dims, where = iota_list(value->shape.rank());
    dims.insert(dims.begin() + rows->along + 1, places.repeats);
    for (size_t i = along + 1; i < where.size(); ++i) ++where[i];
    value = at.broadcast(value, dims, where);
    dims = source.dims;
    dims[along] = rows->distinct * places.repeats;
    value = at.slice(at.reshape(value, dims), rows->along, places.shift, places.shift + rows->count);
  }
  return at.reshape(at.transpose(value, order_of(*rows, source.rank())), gather.shape.dims);
}

bool is_plain_zero(const Instruction& value) {
  if (is_integer(value.shape.dtype)) return splat_integer(value) == 0;
  const std::optional<double> number = splat_real(value);
  return number && *number == 0 && !std::signbit(*number);
}

}  // namespace

// Updates added to zeros at such rows are sums of those that have a row in common, in their order, with zeros around
// and between them: the gradient of the above.
Instruction* simplify_scatter(Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  if (scatter.operands().size() != 3 || !scatter.shape.is_array() || !is_plain_zero(*scatter.operand(0)) ||
      !attributes.input_batching_dims.value_or(std::vector<int64_t>()).empty() ||
      simple_combiner(**attributes.to_apply) != Opcode::kAdd)
    return nullptr;
  Instruction* updates = scatter.operand(2);
  const std::vector<int64_t> map = *attributes.scatter_dims_to_operand_dims;
  const std::optional<Rows> rows = rows_of(scatter.shape, *scatter.operand(1), map, *attributes.inserted_window_dims,
                                           updates->shape, *attributes.update_window_dims);
  if (!rows) return nullptr;
  // Many updates of few rows are a sum as scatter_to_reduce has it.
  constexpr int64_t kFewRows = 64, kFewUpdates = 64;
  if (rows->distinct < kFewRows && rows->places.repeats > kFewUpdates) return nullptr;
  const auto along = static_cast<size_t>(rows->along);
  const int64_t repeats = rows->places.repeats, shift = rows->places.shift, step = rows->places.step;
  GraphBuilder at(scatter);
  Instruction* zero = insert_scalar(scatter, Literal(Shape::scalar(scatter.shape.dtype)));
  const auto pad = [&](Instruction* value, const PadBounds& padding) {
    Attributes edges;
    edges.padding.emplace().resize(scatter.shape.dims.size());
    (*edges.padding)[along] = padding;
    return at.make(Opcode::kPad, {value, zero}, edges);
  };
  // Dimensions in the order of the array.
  std::vector<int64_t> dims = scatter.shape.dims, order = order_of(*rows, scatter.shape.rank());
  dims[along] = rows->count;
  std::vector<int64_t> updated, back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    updated.push_back(dims[static_cast<size_t>(order[i])]);
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  Instruction* value = at.transpose(at.reshape(updates, updated), back);
  if (repeats > 1) {
    value = pad(value, {.low = shift, .high = rows->distinct * repeats - shift - rows->count, .interior = 0});
    dims[along] = rows->distinct;
    dims.insert(dims.begin() + rows->along + 1, repeats);
    Attributes sum;
    sum.dimensions = {rows->along + 1};
    sum.to_apply = attributes.to_apply;
    value = at.make(Opcode::kReduce, {at.reshape(value, dims), zero}, sum);
  } else {
    value = at.add({value, insert_broadcast_like(scatter, zero, value->shape)});
  }
  if (step < 0) value = at.reverse(value, rows->along);
  const int64_t high = scatter.shape.dims[along] - 1 - rows->most();
  return pad(value, {.low = rows->least(), .high = high, .interior = std::abs(step) - 1});
}

Instruction* simplify_gather(Instruction& gather) {
  Instruction* value = gather_of_one(gather);
  return value != nullptr ? value : gather_of_rows(gather);
}

}  // namespace sinter
