// Solving stages (passes/stages/own/solve_stage.h): one kernel, in which a thread, a warp or a block loads a matrix,
// solves it with a function of templates/device, and stores what became of it.
#pragma once

#include "passes/lower/stages/lowered_stage.h"

namespace sinter {

LoweredStage lower_solve(const StageInput& input);

}  // namespace sinter
