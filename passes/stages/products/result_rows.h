// Reductions of the rows of a product's results: of a softmax or a norm after a dense layer, of distances whose least
// is looked for. Where a block's tile has whole rows, their sums lie in its shared memory before anything is stored; it
// makes the statistics there (row_statistics.h: phases and numbers are as those of an operand's vectors, terms are
// computed from the products), and then what is stored of each element, or of each row:
//
//   phase 0:  maximum of x                  numbers: greatest
//   phase 1:  sum of exp(x - greatest)      numbers: total
//   elements: exp(x - greatest) / total     rows: greatest, total
//
// Rows longer than a tile are reduced in pieces as wide as a tile, of which each has a result of its own
// (reduce_products makes such a program).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "passes/stages/products/row_statistics.h"

namespace sinter {

inline constexpr int kPieceCoordinate = 3;  // which piece of a row; the term's coordinate counts within it
inline constexpr int64_t kMostPieceColumns = 256;
// On reductions of pieces, which are made for a product's kernel.
inline constexpr const char* kPieceAttribute = "sinter_piece";

struct ResultRows {
  RowStatistics statistics;
  std::vector<std::vector<NodeId>> products;  // of each phase: nodes that are the product's element
  // Stores of what has one element for each row, or piece of it, and the numbers it reads; nullptr: there are none.
  std::unique_ptr<DemandGraph> stores;
  std::vector<RowStatistics::Read> reads;
  int64_t length = 0;  // of a row, or piece
  int64_t pieces = 1;

  bool empty() const { return statistics.empty(); }
  // Whether a tile of so many columns has whole rows, or is a piece.
  bool are_whole(int64_t tile_columns) const {
    return empty() || (pieces == 1 ? length <= tile_columns : length == tile_columns);
  }
};

// How a block's threads divide the rows of a tile: neighbours have one, which is read in whole lines.
inline StatisticsThreads threads_of_rows(int64_t rows, int64_t block) {
  constexpr int64_t kLeast = 8;
  return {.block = block, .vectors = rows, .of_vector = std::clamp(block / rows, kLeast, kWarp)};
}

}  // namespace sinter
