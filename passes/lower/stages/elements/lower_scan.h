// Scan kernels: one cumulative window, a block a row, 32 rows, or a tile of a row.
#pragma once

#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/stages/scans/scan.h"

namespace sinter {

LoweredStage lower_scan(const StageInput& input, const ScanDemand& demand);

}  // namespace sinter
