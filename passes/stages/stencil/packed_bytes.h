// Passes of a chain of stencils whose lanes have four bytes next to each other, in one word (device/packed_bytes.cuh):
// all that they compute is bytes, and truths.
#pragma once

#include <optional>

#include "passes/stages/stencil/levels.h"

namespace sinter {

// Instructions of a node for the four of them; nullopt: it is not made in a word.
std::optional<double> packed_cost(const DemandGraph& graph, NodeId id);

// Whether all nodes of a pass that is `wide` are.
bool is_packed(const LevelPass& pass);

}  // namespace sinter
