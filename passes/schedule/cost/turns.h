// How many turns of a multiprocessor's cache a warp's load or store takes: a line of 128 bytes each.
#pragma once

#include "ir/index/index_expr.h"
#include "ir/values/dtype.h"
#include "passes/demand/demand.h"

namespace sinter {

// Of the element `offset` of an array, for one lane of those whose warps find it apart; 0 where a warp's lanes read or
// write neighbours, or one element, which takes no longer than the instruction. `column_lanes`: neighbouring threads
// that have columns of one row; 1: they have one column of neighbouring rows, or there are none. What depends on
// runtime values counts as neighbours.
double turns_of_cache(const IndexExpr& offset, DType dtype, const DemandGraph& graph, int64_t column_lanes);

}  // namespace sinter
