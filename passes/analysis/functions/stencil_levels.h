// A chain of stencils as one instruction: a fusion that a pass has made (passes/graph/finish/tile_levels.cpp) and one
// kernel computes, tile by tile (passes/stages/stencil/levels.h).
#pragma once

#include "passes/analysis/functions/attention.h"

namespace sinter {

// The values of such a fusion's frontend attributes: its stage's word, and what its tiles are (levels_form.h). Inside
// it, those values say so of themselves that a block keeps of its tile, and reads at several places.
inline constexpr const char* kStencilLevels = "levels";
inline constexpr const char* kLevelsForm = "sinter_tiles";
inline constexpr const char* kLevelAttribute = "sinter_level";

inline bool is_stencil_levels(const Instruction& instruction) { return is_made_for(instruction, kStencilLevels); }
inline bool is_level(const Instruction& value) {
  return value.annotations->frontend_attributes.count(kLevelAttribute) > 0;
}

}  // namespace sinter
