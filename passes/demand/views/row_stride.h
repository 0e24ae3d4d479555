// How far apart rows are in memory, where each reads or stores what is its own.
#pragma once

#include <cstdint>

#include "ir/index/index_expr.h"

namespace sinter {

// Of `rows` rows, which the coordinate `row`, `own` as an expression, counts: the elements from one to the next; 0
// where `place` may be of any row.
inline int64_t row_stride(const IndexExpr& place, int row, const IndexExpr& own, int64_t rows) {
  const int64_t stride = place.coefficient_of_coordinate(row);
  return stride > 0 && place.floor_div(stride).floor_mod(rows) == own ? stride : 0;
}

}  // namespace sinter
