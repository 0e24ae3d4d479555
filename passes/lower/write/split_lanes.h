// Several neighbouring elements a thread: the last coordinate becomes first element + lane.
#pragma once

#include "passes/demand/demand.h"
#include "passes/lower/write/write_kernel.h"

namespace sinter {

// Rewrites the graph; `coordinate` is the domain's last and is replaced by `*first`, a multiple of `width`.
WriteOptions::Lanes split_lanes(DemandGraph* graph, int coordinate, int64_t width, int* first);

}  // namespace sinter
