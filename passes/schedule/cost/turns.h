// How many turns of a multiprocessor's cache a warp's load or store takes: a line of 128 bytes each.
#pragma once

#include <utility>
#include <vector>

#include "ir/index/index_expr.h"
#include "ir/values/dtype.h"
#include "passes/demand/demand.h"

namespace sinter {

class TurnCounter {
 public:
  // `column_lanes`: neighbouring threads that have columns of one row; 1: they have one column of neighbouring rows, or
  // there are none; 0: which thread has which element is not known, and nothing is counted.
  TurnCounter(const DemandGraph& graph, int64_t column_lanes);

  // Of the element `offset` of an array, for one lane of those whose warps find it apart; 0 where a warp's lanes read
  // or write neighbours, or one element, which takes no longer than the instruction. What depends on runtime values
  // counts as neighbours.
  double of(const IndexExpr& offset, DType dtype) const;
  // Of an access of `width` neighbours by each lane of a warp: as many as it has lines, whether these lie apart or not.
  // For a thread.
  double together(const IndexExpr& offset, DType dtype, int64_t width) const;

 private:
  bool may_be_apart(const IndexExpr& offset) const;
  double lines_of(const IndexExpr& offset, DType dtype, int64_t width) const;

  std::vector<std::pair<int, int64_t>>
      lanes_;  // coordinates in which a warp's lanes differ, the fastest first; extents
  size_t coordinates_ = 0;
  int64_t width_ = 1;  // neighbours that a thread takes together
};

}  // namespace sinter
