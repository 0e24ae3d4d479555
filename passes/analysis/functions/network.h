// A network as one instruction: a fusion of layers, each a matrix product and what is made of it element by element,
// which a pass has made (passes/graph/finish/network.cpp) and one kernel computes.
#pragma once

#include "passes/analysis/functions/attention.h"

namespace sinter {

inline constexpr const char* kNetwork = "network";

inline bool is_network(const Instruction& instruction) { return is_made_for(instruction, kNetwork); }

}  // namespace sinter
