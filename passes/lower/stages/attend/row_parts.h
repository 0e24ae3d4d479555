// What a thread computes of rows: where one is in memory, what is the same for all of its elements, and elements.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "passes/lower/stages/base/stage_writer.h"

namespace sinter {

// These nodes of a graph and what they are computed from, but for nodes that `is_given`, which are parameters of it.
struct GraphPart {
  DemandGraph graph;
  std::map<NodeId, NodeId> nodes;  // by node of the whole graph
};
GraphPart part_of(const DemandGraph& graph, const std::vector<NodeId>& results,
                  const std::function<bool(NodeId)>& is_given = {});

// Computes the nodes that an index reads, which `expressions` spells then; false: it reads none.
bool write_values_of(StageWriter& w, const IndexExpr& index, Expressions* expressions, Block* block);

}  // namespace sinter
