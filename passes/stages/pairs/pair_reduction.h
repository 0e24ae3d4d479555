// Reductions whose terms are made of an element of a row and one of a column, as those of a matrix product are, but by
// another operation than a product, or combined by another than a sum: distances, min-plus products, counts of bits in
// which two words differ.
//
//   out[i, j] = reduce over k of term(x[i, k], y[j, k], z[i, j])      x and y whatever is the same for all j, or all i
//
// z is what sums of exponentials beside the largest have, and gradients of distances. There may be none.
//
// Each element of an operand counts for many results: a block has tiles of both, and a thread some rows and columns.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "passes/analysis/shapes/matrix_product.h"

namespace sinter {

struct PairReduction {
  const Instruction* reduce = nullptr;
  Opcode combiner = Opcode::kAdd;
  ContractExtents extents;
  // Dimensions of what is reduced, in their order: the result in row-major order is [batch, rows, columns].
  std::vector<int64_t> batch, rows, columns, terms;
  // The operands of the term, of the shape of what is reduced: the same along columns, and along rows. What one of them
  // is made of is computed where a tile is loaded, what they have in common for each term.
  const Instruction* sides[2] = {nullptr, nullptr};
  std::set<const Instruction*> instructions;  // all between arrays and the result
};

// nullopt for what is none, or has more than one operand of each side.
std::optional<PairReduction> pair_reduction(const Instruction& reduce);

// Whether there are so many rows, columns and terms that tiles are full.
bool fills_tiles(const PairReduction& pairs);

}  // namespace sinter
