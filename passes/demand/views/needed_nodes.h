// Which nodes and loops of a demand graph its stores and results need.
#pragma once

#include <functional>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// What a node's operands are, where that is not all of DemandNode::operands.
using NodeOperands = std::function<std::vector<NodeId>(NodeId)>;

std::vector<bool> needed_nodes(const DemandGraph& graph, const NodeOperands& operands_of = {});

// The loops that store something, or whose results are among the needed nodes.
std::vector<bool> needed_loops(const DemandGraph& graph, const std::vector<bool>& nodes);

}  // namespace sinter
