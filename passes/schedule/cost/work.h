// Counting what a kernel computes, from its demand: the first half of the cost model (docs/cost.md). The second makes a
// time of it for a GPU (estimate.h).
#pragma once

#include "ir/kernel/work.h"
#include "passes/stages/domain/domain.h"
#include "passes/stages/domain/vectorize.h"
#include "passes/stages/scans/scan.h"

namespace sinter {

// Of one launch. `lanes`: neighbouring elements that a thread takes.
Work map_work(const MapDemand& demand, int64_t lanes);
// In such tiles (vectorize.h).
Work map_tiles_work(const MapDemand& demand, const MapTiles& tiles);
// `threads`: those that share a row, and take `width` neighbours in one access (row_width.h). Of a demand in phases
// (split_phases.h).
Work row_work(const RowDemand& demand, int64_t threads, int64_t width);
// Of both launches of a scan together, where it has two.
Work scan_work(const ScanDemand& demand);

// `part` of the work: one of several launches alike.
Work share(const Work& work, double part);
// Of a launch that does both.
Work both(const Work& a, const Work& b);
// Of a launch whose last block does `last` when all others have finished.
Work then(const Work& work, const Work& last);

}  // namespace sinter
