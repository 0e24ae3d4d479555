// Results that are made of the product at their own column and at their partner's, in the same row: a rotation by
// position of a query or key, whose elements turn in pairs, half a head apart or side by side,
//
//   x[column] cos - x[column + 64] sin    where column % 128 < 64
//   x[column] cos + x[column - 64] sin    elsewhere
//
// Partners are as far apart as a power of two, and a tile of whole groups of twice as many columns has both.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

struct ColumnPartners {
  int64_t distance = 0;
  std::vector<NodeId> loads;  // that read the partner's element
  bool reads(NodeId load) const { return std::ranges::find(loads, load) != loads.end(); }
};

// Of what a graph loads of products beside the thread's own element, which is at `own`; nullopt where some read neither
// that nor its partner's.
std::optional<ColumnPartners> column_partners(const DemandGraph& graph, const IndexExpr& own, int column,
                                              const std::vector<NodeId>& loads);

// What only one of two partners reads, but at a place that both have, the other may read too: loads behind a test of
// which of the two a column is become loads of all columns, of neighbours in memory.
void load_for_partners(DemandGraph* graph, int column, int64_t distance);

}  // namespace sinter
