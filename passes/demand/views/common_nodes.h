// Nodes of a demand graph that are the same for all threads: those that may be and are computed from nothing else.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "passes/demand/demand.h"
#include "passes/demand/nodes_read.h"

namespace sinter {

// `may_be(node)` says of a node whether it is the same for all threads if all that it is computed from is; what a loop
// results in it decides alone. `known` has an entry a node, and is filled in.
template <class MayBe>
bool is_common(const DemandGraph& graph, NodeId first, const MayBe& may_be, std::vector<std::optional<bool>>* known) {
  std::vector<std::optional<bool>>& common = *known;
  std::vector<NodeId> stack = {first};
  while (!stack.empty()) {
    const NodeId id = stack.back();
    if (common[id]) {
      stack.pop_back();
      continue;
    }
    const bool may = may_be(graph.nodes[id]);
    // A loop's result is its slot's: not all that the loop computes.
    const bool whole = !may || graph.nodes[id].kind == DemandNode::Kind::kLoopResult;
    const std::vector<NodeId> parts = whole ? std::vector<NodeId>() : nodes_read(graph, id);
    const size_t open = stack.size();
    for (const NodeId part : parts) {
      if (!common[part]) stack.push_back(part);
    }
    if (stack.size() > open) continue;
    stack.pop_back();
    common[id] = may && std::all_of(parts.begin(), parts.end(), [&](NodeId part) { return *common[part]; });
  }
  return *common[first];
}

}  // namespace sinter
