// Rules of simplify: gathers whose places are known.
#include <algorithm>
#include <optional>

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

// Integers that are made of one iota, and constants: of element i of them.
std::optional<Progression> progression_of(const Instruction& value) {
  constexpr int64_t kMost = INT32_MAX;
  if (value.opcode == Opcode::kReshape) return progression_of(*value.operand(0));
  if (value.opcode == Opcode::kIota) {
    const auto dim = static_cast<size_t>(value.attributes->iota_dimension.value());
    if (value.shape.dims[dim] != value.shape.element_count()) return std::nullopt;
    return Progression{};
  }
  const bool arithmetic =
      value.opcode == Opcode::kAdd || value.opcode == Opcode::kMultiply || value.opcode == Opcode::kDivide;
  if (!arithmetic || !is_integer(value.shape.dtype) || dtype_bits(value.shape.dtype) < 32) return std::nullopt;
  const std::optional<int64_t> number = splat_integer(*value.operand(1));
  if (!number || *number > kMost || *number < -kMost) return std::nullopt;
  std::optional<Progression> result = progression_of(*value.operand(0));
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
  const bool small = std::max(std::abs(result->first), std::abs(result->step)) <= kMost;
  return small ? result : std::nullopt;
}

// Rows that follow one another, each once or some times, are a slice, which is spread: a picture of twice the size is.
//
//   %y = f32[8,128,3] gather(f32[8,64,3] %x, iota / 2)    =>    f32[8,128,3] reshape(f32[8,64,2,3] broadcast(%x))
Instruction* gather_of_rows(Instruction& gather) {
  const Attributes& attributes = gather.attributes;
  const Shape& source = gather.operand(0)->shape;
  const std::vector<int64_t>& collapsed = attributes.collapsed_slice_dims.value();
  if (attributes.start_index_map->size() != 1 || collapsed != *attributes.start_index_map ||
      !attributes.operand_batching_dims.value_or(std::vector<int64_t>()).empty() || !source.is_static())
    return nullptr;
  const auto along = static_cast<size_t>(collapsed[0]);
  std::vector<int64_t> whole = source.dims;
  whole[along] = 1;
  if (*attributes.slice_sizes != whole) return nullptr;
  const int64_t count = gather.operand(1)->shape.element_count();
  const std::optional<Progression> rows = progression_of(*gather.operand(1));
  if (!rows || count < 2 || rows->step == 0) return nullptr;
  const int64_t distinct = (count - 1 + rows->shift) / rows->repeats + 1;
  const int64_t last = rows->first + rows->step * (distinct - 1);
  if (std::min(rows->first, last) < 0 || std::max(rows->first, last) >= source.dims[along]) return nullptr;
  // Where the result has them: behind so many of the source's other dimensions.
  const std::vector<int64_t>& offsets = attributes.offset_dims.value();
  int64_t before = -1;
  for (int64_t dim = 0, passed = 0; dim < gather.shape.rank(); ++dim) {
    const bool is_offset = std::find(offsets.begin(), offsets.end(), dim) != offsets.end();
    if (!is_offset && gather.shape.dims[static_cast<size_t>(dim)] == count) before = passed;
    passed += is_offset ? 1 : 0;
  }
  if (before < 0) return nullptr;

  GraphBuilder at(gather);
  const auto dim = static_cast<int64_t>(along);
  Attributes bounds;
  std::vector<SliceBounds>& slice = bounds.slice.emplace();
  for (const int64_t extent : source.dims) slice.push_back({0, extent, 1});
  slice[along] = {std::min(rows->first, last), std::max(rows->first, last) + 1, std::abs(rows->step)};
  Instruction* value = at.make(Opcode::kSlice, {gather.operand(0)}, bounds);
  if (rows->step < 0) value = at.reverse(value, dim);
  if (rows->repeats > 1) {
    std::vector<int64_t> dims = value->shape.dims, where = iota_list(value->shape.rank());
    dims.insert(dims.begin() + dim + 1, rows->repeats);
    for (size_t i = along + 1; i < where.size(); ++i) ++where[i];
    value = at.broadcast(value, dims, where);
    dims = source.dims;
    dims[along] = distinct * rows->repeats;
    value = at.slice(at.reshape(value, dims), dim, rows->shift, rows->shift + count);
  }
  std::vector<int64_t> order = iota_list(source.rank());
  order.erase(order.begin() + dim);
  order.insert(order.begin() + before, dim);
  return at.reshape(at.transpose(value, order), gather.shape.dims);
}

}  // namespace

Instruction* simplify_gather(Instruction& gather) {
  Instruction* value = gather_of_one(gather);
  return value != nullptr ? value : gather_of_rows(gather);
}

}  // namespace sinter
