// Reductions whose terms are made of an element of a row and one of a column, as those of a matrix product are, but by
// another operation than a product, or combined by another than a sum: distances, min-plus products, counts of bits in
// which two words differ.
//
//   out[i, j] = reduce over k of term(x[i, k], y[j, k], w[k], z[i, j])    x and y whatever is the same for all j, or i
//
// There may be several x and several y: values and their masks, say. w are weights, lengths or places; z is what sums
// of exponentials beside the largest have, and gradients of distances. There may be none of both.
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
  Opcode combiner = Opcode::kAdd;  // of a reduction of one array; several have a function
  ContractExtents extents;
  // Dimensions of what is reduced, in their order: the result in row-major order is [batch, rows, columns].
  std::vector<int64_t> batch, rows, columns, terms;
  // The operands of the term, of the shape of what is reduced: those that are the same along columns, and those that
  // are along rows, one at least. What one of them is made of is computed where a tile is loaded, all else for each
  // term.
  std::vector<const Instruction*> sides[2];
  // Values of arrays that terms read of each result, and of each row or column of them.
  int64_t of_results = 0, of_sides = 0;
  std::set<const Instruction*> instructions;  // all between arrays and the result
};

// nullopt for what is none, or has too many operands.
std::optional<PairReduction> pair_reduction(const Instruction& reduce);

// Whether there are so many rows, columns and terms that tiles are full.
bool fills_tiles(const PairReduction& pairs);

}  // namespace sinter
