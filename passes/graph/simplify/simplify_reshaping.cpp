// Rules of simplify: reshape, broadcast and transpose, alone and in pairs; sizes of static shapes.
//
// A reshape that only adds or removes dimensions of size one is transparent to a broadcast on either side: JAX prints
// reshape, broadcast {0,1}, reshape, broadcast {0} where it means one broadcast.
#include <algorithm>

#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

bool only_moves_unit_dims(const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
  return squeezed_dims(from) == squeezed_dims(to);
}

std::vector<int64_t> broadcast_dims(const Instruction& broadcast) {
  return broadcast.attributes->dimensions.value_or(std::vector<int64_t>());
}

Instruction* become_reshape(Instruction& instruction, Instruction* operand) {
  if (operand->shape.dims == instruction.shape.dims) return operand;
  become(instruction, Opcode::kReshape, {operand});
  return &instruction;
}

Instruction* become_broadcast(Instruction& instruction, Instruction* operand, std::vector<int64_t> dimensions) {
  Attributes attributes;
  attributes.dimensions = std::move(dimensions);
  become(instruction, Opcode::kBroadcast, {operand}, std::move(attributes));
  return &instruction;
}

// broadcast(x, from) without the dimensions of x of size one, which say nothing.
Instruction* become_squeezed_broadcast(Instruction& instruction, Instruction* operand,
                                       const std::vector<int64_t>& dimensions) {
  std::vector<int64_t> kept;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (operand->shape.dims[i] != 1) kept.push_back(dimensions[i]);
  }
  operand = insert_reshape(instruction, operand, squeezed_dims(operand->shape.dims));
  return become_broadcast(instruction, operand, std::move(kept));
}

Instruction* reshape_of_broadcast(Instruction& reshape) {
  const Instruction& broadcast = *reshape.operand(0);
  Instruction* source = broadcast.operand(0);
  if (source->shape.element_count() == 1) return become_squeezed_broadcast(reshape, source, broadcast_dims(broadcast));
  if (!only_moves_unit_dims(broadcast.shape.dims, reshape.shape.dims)) return nullptr;
  // The k-th dimension larger than one stays the k-th.
  std::vector<int64_t> large;
  for (size_t d = 0; d < reshape.shape.dims.size(); ++d) {
    if (reshape.shape.dims[d] != 1) large.push_back(static_cast<int64_t>(d));
  }
  std::vector<int64_t> moved(broadcast.shape.dims.size(), 0);
  size_t k = 0;
  for (size_t d = 0; d < broadcast.shape.dims.size(); ++d) {
    if (broadcast.shape.dims[d] != 1) moved[d] = large[k++];
  }
  std::vector<int64_t> dimensions = broadcast_dims(broadcast);
  for (int64_t& dimension : dimensions) dimension = moved[static_cast<size_t>(dimension)];
  return become_squeezed_broadcast(reshape, source, dimensions);
}

Instruction* simplify_reshape(Instruction& reshape) {
  Instruction* a = reshape.operand(0);
  if (!reshape.shape.is_static() || !a->shape.is_static()) return nullptr;
  if (a->shape.dims == reshape.shape.dims) return a;
  if (a->opcode == Opcode::kReshape) return become_reshape(reshape, a->operand(0));
  if (a->opcode == Opcode::kBroadcast) return reshape_of_broadcast(reshape);
  return nullptr;
}

Instruction* simplify_broadcast(Instruction& broadcast) {
  Instruction* a = broadcast.operand(0);
  const std::vector<int64_t> dimensions = broadcast_dims(broadcast);
  const std::vector<int64_t>& from = a->shape.dims;
  const std::vector<int64_t>& to = broadcast.shape.dims;
  if (!broadcast.shape.is_static() || !a->shape.is_static()) return nullptr;
  if (from == to && dimensions == iota_list(broadcast.shape.rank())) return a;
  if (a->opcode == Opcode::kBroadcast) {
    std::vector<int64_t> composed;
    for (int64_t inner : broadcast_dims(*a)) composed.push_back(dimensions[static_cast<size_t>(inner)]);
    return become_broadcast(broadcast, a->operand(0), std::move(composed));
  }
  const bool has_unit_dims = std::find(from.begin(), from.end(), 1) != from.end();
  if (a->opcode == Opcode::kReshape && has_unit_dims) return become_squeezed_broadcast(broadcast, a, dimensions);
  const bool in_order = std::is_sorted(dimensions.begin(), dimensions.end());
  if (in_order && only_moves_unit_dims(from, to)) return become_reshape(broadcast, a);
  if (from.size() == to.size()) {
    Attributes attributes;
    attributes.dimensions.emplace(to.size());
    for (size_t i = 0; i < to.size(); ++i) {
      (*attributes.dimensions)[static_cast<size_t>(dimensions[i])] = static_cast<int64_t>(i);
    }
    become(broadcast, Opcode::kTranspose, {a}, std::move(attributes));
    return &broadcast;
  }
  return nullptr;
}

Instruction* simplify_transpose(Instruction& transpose) {
  Instruction* a = transpose.operand(0);
  const std::vector<int64_t> order = transpose.attributes->dimensions.value();
  if (order == iota_list(transpose.shape.rank())) return a;
  if (a->opcode == Opcode::kTranspose) {
    Attributes attributes;
    attributes.dimensions.emplace();
    for (int64_t dim : order) {
      attributes.dimensions->push_back(a->attributes->dimensions.value()[static_cast<size_t>(dim)]);
    }
    become(transpose, Opcode::kTranspose, {a->operand(0)}, std::move(attributes));
    return &transpose;
  }
  if (!a->shape.is_static()) return nullptr;
  std::vector<int64_t> large;
  for (int64_t dim : order) {
    if (a->shape.dims[static_cast<size_t>(dim)] != 1) large.push_back(dim);
  }
  if (std::is_sorted(large.begin(), large.end())) return become_reshape(transpose, a);
  if (a->opcode == Opcode::kBroadcast) {
    std::vector<int64_t> dimensions;
    for (int64_t dim : broadcast_dims(*a)) {
      dimensions.push_back(std::find(order.begin(), order.end(), dim) - order.begin());
    }
    // A broadcast that reorders would only be a transpose by another name.
    if (std::is_sorted(dimensions.begin(), dimensions.end())) {
      return become_broadcast(transpose, a->operand(0), std::move(dimensions));
    }
  }
  return nullptr;
}

Instruction* size_of_dimension(Instruction& instruction) {
  const Shape& shape = instruction.operand(0)->shape;
  if (!shape.is_static()) return nullptr;
  Literal size(Shape::scalar(instruction.shape.dtype));
  size.set_integer(0, shape.dims[static_cast<size_t>(instruction.attributes->dimensions->front())]);
  become_constant(instruction, std::move(size));
  return &instruction;
}

}  // namespace

Instruction* simplify_reshaping(Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kReshape:
      return simplify_reshape(instruction);
    case Opcode::kBroadcast:
      return simplify_broadcast(instruction);
    case Opcode::kTranspose:
      return simplify_transpose(instruction);
    case Opcode::kCopy:
      return instruction.operand(0);
    case Opcode::kDynamicReshape:
      return instruction.shape.is_static() ? become_reshape(instruction, instruction.operand(0)) : nullptr;
    case Opcode::kSetDimensionSize:
      return instruction.shape.is_static() ? instruction.operand(0) : nullptr;
    case Opcode::kGetDimensionSize:
      return size_of_dimension(instruction);
    default:
      return nullptr;
  }
}

}  // namespace sinter
