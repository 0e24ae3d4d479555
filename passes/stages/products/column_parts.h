// Results that are made of several columns of a product: of the gates of a recurrent layer, or the two halves of a
// gated unit, which are parts of one row of x W. Columns of a tile are a few neighbours of each part in turn, so that
// the block that has the tile has all that its results are made of:
//
//   columns of the product   i i i i i i i i  f f f f f f f f  g g g g g g g g  o o o o o o o o
//   columns of two tiles     i i i i  f f f f  g g g g  o o o o | i i i i  f f f f  g g g g  o o o o
//
// Three parts, of a GRU's gates, are four of which one is empty.
//
// Products of one operand whose results have nothing to do with each other, a layer's queries, keys and values, stand
// side by side: a tile has columns of one part alone.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/index/index_expr.h"
#include "ir/module/module.h"

namespace sinter {

struct ColumnParts {
  int64_t count = 1;   // parts of a row of the product; 1: a result is made of one column
  int64_t empty = 0;   // of them, the last ones, that have no columns: tiles are divided by powers of two
  int64_t size = 0;    // columns of a part, which a row of results has
  int64_t run = 1;     // neighbours of one part, side by side in a tile
  bool apart = false;  // a result is made of one column, of one part: parts stand side by side, each a run

  // The column of the product that stands at `place`, in the order of tiles; of an empty part beyond the last column.
  IndexExpr column_at(const IndexExpr& place) const;
  // The same, counted within its part.
  IndexExpr result_at(const IndexExpr& place) const;
  int64_t full() const { return count - empty; }
  // Whether so wide a tile has all parts of its results.
  bool are_whole(int64_t tile_columns) const {
    return apart ? size % tile_columns == 0 : count == 1 || tile_columns % (run * count) == 0;
  }
};

// Of rows of `columns` results, of a dot, or of several with a matrix each, with `n` columns; nullopt where tiles could
// not have them so.
std::optional<ColumnParts> column_parts(const Instruction& dot, int64_t n, int64_t columns);
// So many parts of `size` columns each, side by side; nullopt where tiles could not have columns of one alone.
std::optional<ColumnParts> parts_apart(size_t count, int64_t size);

}  // namespace sinter
