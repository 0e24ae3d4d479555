// Which nodes of a demand graph its stores, loops and results need.
#pragma once

#include <functional>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// What a node's operands are, where that is not all of DemandNode::operands.
using NodeOperands = std::function<std::vector<NodeId>(NodeId)>;

std::vector<bool> needed_nodes(const DemandGraph& graph, const NodeOperands& operands_of = {});

}  // namespace sinter
