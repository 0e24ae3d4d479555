// Kernels whose threads are spread over elements: maps, rows, and scans along rows.
#pragma once

#include <optional>
#include <vector>

#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/stages/domain/domain.h"
#include "passes/stages/domain/vectorize.h"
#include "passes/stages/scans/scan.h"

namespace sinter {

// `numbers`: nodes that one thread of a block computes for all.
LoweredStage lower_map(const StageInput& input, MapDemand demand, const std::vector<NodeId>& numbers);
// The same in tiles, what lies across through shared memory.
LoweredStage lower_map_tiles(const StageInput& input, MapDemand demand, const MapTiles& tiles);
// A row a few lanes of a warp, a warp, a block, or a lane of each of a block's warps. Refused where the plan has
// threads take other groups of neighbours than they may.
std::optional<LoweredStage> lower_row(const StageInput& input, RowDemand demand, Diagnostics& diagnostics);
// One cumulative window: a block a row, 32 rows, or a tile of a row.
LoweredStage lower_scan(const StageInput& input, const ScanDemand& demand);

}  // namespace sinter
