// Several neighbouring elements a thread: the last coordinate becomes first element + lane.
#pragma once

#include "passes/demand/demand.h"
#include "passes/lower/write/write_kernel.h"

namespace sinter {

// True of neighbouring elements for neighbouring values of the coordinate `lane` that begin, where `lane` is a multiple
// of `width`, at a multiple of `width`; so is the coordinate `base`, if it is there. The access stands in front of the
// lanes: nothing else in it may depend on them, be it by an index that each of them reads.
bool is_vector_offset(const DemandGraph& graph, const IndexExpr& offset, int lane, int base, int64_t width);

// Rewrites the graph; `coordinate` is the domain's last and is replaced by `*first`, a multiple of `width`.
WriteOptions::Lanes split_lanes(DemandGraph* graph, int coordinate, int64_t width, int* first);

}  // namespace sinter
