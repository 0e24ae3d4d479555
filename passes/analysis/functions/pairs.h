// A reduction over pairs of rows as one instruction: a fusion that a pass has made (passes/graph/finish/pairs.cpp) and
// one kernel computes in tiles, as it would a matrix product (passes/stages/pairs).
#pragma once

#include "passes/analysis/functions/attention.h"

namespace sinter {

// The value of such a fusion's frontend attribute.
inline constexpr const char* kPairs = "pairs";

inline bool is_pairs(const Instruction& instruction) { return is_made_for(instruction, kPairs); }

}  // namespace sinter
