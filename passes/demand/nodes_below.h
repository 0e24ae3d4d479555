// What nodes of a demand graph are computed from, directly and indirectly.
#pragma once

#include <functional>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// These nodes and all that they are computed from, each once, operands before what reads them; but not what nodes that
// `stops` is true of are computed from.
std::vector<NodeId> nodes_below(const DemandGraph& graph, const std::vector<NodeId>& nodes,
                                const std::function<bool(NodeId)>& stops = {});

// By node: whether `is_such` is true of it and of all that it is computed from.
std::vector<bool> made_of_such(const DemandGraph& graph, const std::function<bool(NodeId)>& is_such);

}  // namespace sinter
