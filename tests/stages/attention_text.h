// Programs of attention in all forms, with masks and biases of all kinds.
#pragma once

#include <vector>

#include "tests/stages/stage_programs.h"

namespace sinter {

struct AttentionGroup {
  std::vector<StageProgram> programs;
  ToleranceOf tolerance;
};

// Of 16-bit floats, of f32 in three terms of TF32, and in one.
std::vector<AttentionGroup> attention_groups();

// The same of as many queries a block as a plan says: of these programs, which are small, warps would divide keys.
std::vector<AttentionGroup> attention_of_rows();

}  // namespace sinter
