// Records: a few elements side by side in memory that belong to one element of a kernel, a pixel's colours, say. What
// neighbours have of them lies side by side too, and a thread that has several neighbours reads and writes all of it in
// accesses of up to 16 bytes.
//
//   y[3 * e], y[3 * e + 1], y[3 * e + 2], of four neighbours e from 4 * t on   =>   12 elements from y + 12 * t on
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// Where an access stands in its record, and the record in memory.
struct RecordPart {
  int64_t size = 1;  // elements of a record
  int64_t part = 0;
  IndexExpr first;  // of the record
};

struct Records {
  std::map<NodeId, RecordPart> loads;   // nodes
  std::map<size_t, RecordPart> stores;  // by their number; every element of each record is stored
  std::set<IndexExpr> offsets;          // of these
  bool has(const IndexExpr& offset) const { return offsets.count(offset) > 0; }
};

// Those of `width` neighbours along the coordinate `lane`, which begin at a multiple of `width`, in accesses that stand
// in `scope` and behind no test. Coordinates of `along` are one with `lane`: the first of the neighbours, or what
// collapses into it.
Records find_records(const DemandGraph& graph, int lane, const std::vector<int>& along, int scope, int64_t width);

}  // namespace sinter
