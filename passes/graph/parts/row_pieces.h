// Rows of a product's results in pieces as wide as a tile (split_product_rows.cpp, split_norms.cpp).
#pragma once

#include "passes/analysis/shapes/skinny_product.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

// Columns of the tiles that most products have: of 16-bit floats, of others.
inline int64_t columns_of_piece(const Instruction& dot) {
  constexpr int64_t kWidePiece = 128, kNarrowPiece = 64;
  return tensor_core_product(dot) == TensorCoreForm::Product::k16Bits ? kWidePiece : kNarrowPiece;
}

// Whether rows are neighbours in memory, and longer than a tile.
inline bool may_have_pieces(const Instruction& dot) {
  if (dot.operands().size() != 2 || !is_contraction(dot) || is_complex(dot.shape.dtype)) return false;
  const std::optional<ContractExtents> extents = contract_extents(dot);
  return extents && dot.shape.dims.back() == extents->n && extents->n > kMostPieceColumns && extents->m > kMostVectors;
}

// [lead, columns] as [lead, count, piece]; what is missing in the last piece is `nothing`.
inline GraphBuilder::Value in_pieces(GraphBuilder& build, GraphBuilder::Value value, int64_t count, int64_t piece,
                                     const Literal& nothing) {
  GraphBuilder::Dims dims = value->shape.dims;
  const int64_t missing = count * piece - dims.back();
  if (missing > 0) {
    Attributes attributes;
    attributes.padding = std::vector<PadBounds>(dims.size());
    attributes.padding->back().high = missing;
    value = build.make(Opcode::kPad, {value, build.constant(nothing)}, std::move(attributes));
  }
  dims.back() = count;
  dims.push_back(piece);
  return build.reshape(value, dims);
}

}  // namespace sinter
