#include "passes/graph/scatters/scatter_dims.h"

#include <numeric>

#include "passes/analysis/values/constants.h"

namespace sinter {
namespace {

// Whether each element is the number of its place along the dimension.
bool counts_along(const Instruction& value, int64_t dimension) {
  const Dims& dims = value.shape.dims;
  if (value.opcode == Opcode::kIota) {
    const bool wraps = dtype_bits(value.shape.dtype) < 32 || dims[dimension] > INT32_MAX;
    return *value.attributes->iota_dimension == dimension && !wraps;
  }
  if (value.opcode == Opcode::kConvert) {
    const Instruction& from = *value.operand(0);
    return is_integer(from.shape.dtype) && dtype_bits(value.shape.dtype) >= 32 && counts_along(from, dimension);
  }
  if (value.opcode == Opcode::kBroadcast) {
    const std::optional<size_t> from = position_in(list(value.attributes->dimensions), dimension);
    return from && counts_along(*value.operand(0), static_cast<int64_t>(*from));
  }
  if (value.opcode == Opcode::kReshape) {
    const std::optional<int64_t> from = dimension_before_reshape(value.operand(0)->shape.dims, dims, dimension);
    return from && counts_along(*value.operand(0), *from);
  }
  if (value.opcode == Opcode::kSelect) {
    // Negative indices count from the end: there are none.
    const Instruction& negative = *value.operand(0);
    return negative.opcode == Opcode::kCompare && *negative.attributes->direction == "LT" &&
           splat_integer(*negative.operand(1)) == 0 && counts_along(*negative.operand(0), dimension) &&
           counts_along(*value.operand(2), dimension);
  }
  return false;
}

// Of indices that are concatenated of pieces, the one that has the component.
const Instruction* piece_of_component(const Instruction& scatter, int64_t component) {
  const Instruction* indices = scatter.operand(1);
  const int64_t vector_dim = scatter.attributes->index_vector_dim.value();
  if (vector_dim == indices->shape.rank() || indices->opcode != Opcode::kConcatenate ||
      list(indices->attributes->dimensions) != Dims{vector_dim})
    return indices;
  for (const Instruction* piece : indices->operands()) {
    const int64_t components = piece->shape.dims[vector_dim];
    indices = piece;
    if (component < components) break;
    component -= components;
  }
  return indices;
}

}  // namespace

std::optional<int64_t> counted_dimension(const Instruction& scatter, int64_t component) {
  const int64_t vector_dim = scatter.attributes->index_vector_dim.value();
  const Instruction* indices = piece_of_component(scatter, component);
  if (vector_dim < indices->shape.rank() && indices->shape.dims[vector_dim] != 1) return std::nullopt;
  for (int64_t d = 0; d < indices->shape.rank(); ++d) {
    if (d != vector_dim && counts_along(*indices, d)) return d - (d > vector_dim ? 1 : 0);
  }
  return std::nullopt;
}

std::optional<int64_t> constant_component(const Instruction& scatter, int64_t component) {
  return splat_integer(*piece_of_component(scatter, component));
}

Instruction* vectors_last(Instruction& scatter, GraphBuilder* build) {
  Instruction* indices = scatter.operand(1);
  const int64_t vector_dim = *scatter.attributes->index_vector_dim, rank = indices->shape.rank();
  if (vector_dim == rank) {
    Dims dims = indices->shape.dims;
    dims.push_back(1);
    return build->reshape(indices, dims);
  }
  if (vector_dim == rank - 1) return indices;
  Dims order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + vector_dim);
  order.push_back(vector_dim);
  return build->transpose(indices, order);
}

void set_vectors_last(int64_t rank, Attributes* attributes) {
  const int64_t before = *attributes->index_vector_dim;
  if (attributes->scatter_indices_batching_dims) {
    for (int64_t& d : *attributes->scatter_indices_batching_dims) d -= d > before ? 1 : 0;
  }
  attributes->index_vector_dim = rank - 1;
}

}  // namespace sinter
