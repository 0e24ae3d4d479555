// Top-k stages (passes/stages/own/topk_stage.h): rows sorted by a thread or a block, or read once by blocks that keep
// the best; these of several slices are then made the row's by a second kernel.
#pragma once

#include "passes/lower/stages/lowered_stage.h"

namespace sinter {

LoweredStage lower_topk(const StageInput& input);

}  // namespace sinter
