// The product that a sum contracts with (passes/analysis/values/contraction.h), in a demand graph.
#pragma once

#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// Of the nodes `operands` of `sum`, the product that it contracts with; kNoNode if it contracts with none, or with what
// is no product in this graph.
NodeId contracted_node(const DemandGraph& graph, const Instruction& sum, const std::vector<NodeId>& operands);

}  // namespace sinter
