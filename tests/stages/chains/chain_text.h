// Programs of products of products in all forms. They are small: chains are made of them where the pass is pinned.
#pragma once

#include <vector>

#include "tests/stages/stage_programs.h"

namespace sinter {

struct ChainGroup {
  std::vector<StageProgram> programs;
  ToleranceOf tolerance;
};

// Of f32 in three terms of TF32; of 16-bit floats, by warps and by warpgroups, and of TF32 in one term.
std::vector<ChainGroup> chain_groups();

}  // namespace sinter
