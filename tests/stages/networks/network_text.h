// Programs of networks in all forms: layers of many widths, with activations and residuals of several kinds.
#pragma once

#include <vector>

#include "tests/stages/stage_programs.h"

namespace sinter {

struct NetworkGroup {
  std::vector<StageProgram> programs;
  ToleranceOf tolerance;
};

// Of 16-bit floats, of f32 in three terms of TF32, and in one.
std::vector<NetworkGroup> network_groups();

}  // namespace sinter
