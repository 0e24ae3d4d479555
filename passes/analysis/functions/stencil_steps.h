// Several steps of a loop as one instruction: a fusion whose computation is a loop of them, which a pass has made
// (passes/graph/finish/tile_loops.cpp) and one kernel computes (passes/stages/stencil).
#pragma once

#include "passes/analysis/functions/attention.h"

namespace sinter {

// The values of such a fusion's frontend attributes: its stage's word, and how the steps are made (tiles_form.h).
inline constexpr const char* kStencil = "stencil";
inline constexpr const char* kTilesForm = "sinter_tiles";

inline bool is_stencil_steps(const Instruction& instruction) { return is_made_for(instruction, kStencil); }

}  // namespace sinter
