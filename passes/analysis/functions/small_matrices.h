// Small matrices as one instruction: a fusion of what a thread makes of them, the steps of a filter, say, or a system
// that is solved, which a pass has made (passes/graph/finish/keep_matrices.cpp) and one kernel computes
// (passes/stages/matrices).
#pragma once

#include "passes/analysis/functions/attention.h"

namespace sinter {

// The values of such a fusion's frontend attributes: its stage's word, and how many threads there are, or warps.
inline constexpr const char* kMatrices = "matrices";
inline constexpr const char* kThreadCount = "sinter_threads";
inline constexpr const char* kWarpCount = "sinter_warps";  // in its place, where a warp has each

inline bool is_small_matrices(const Instruction& instruction) { return is_made_for(instruction, kMatrices); }

}  // namespace sinter
