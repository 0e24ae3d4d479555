#include "passes/demand/nodes_below.h"

#include <algorithm>
#include <numeric>

#include "passes/demand/nodes_read.h"

namespace sinter {

std::vector<NodeId> nodes_below(const DemandGraph& graph, const std::vector<NodeId>& nodes,
                                const std::function<bool(NodeId)>& stops) {
  std::vector<NodeId> order;
  std::vector<char> seen(graph.nodes.size(), 0);  // 1: its operands are being listed, 2: listed
  std::vector<NodeId> stack(nodes.rbegin(), nodes.rend());
  while (!stack.empty()) {
    const NodeId id = stack.back();
    if (seen[id] != 0) {
      stack.pop_back();
      if (seen[id] == 1) order.push_back(id);
      seen[id] = 2;
      continue;
    }
    seen[id] = 1;
    if (stops && stops(id)) continue;
    for (const NodeId part : nodes_read(graph, id)) {
      if (seen[part] == 0) stack.push_back(part);
    }
  }
  return order;
}

std::vector<bool> made_of_such(const DemandGraph& graph, const std::function<bool(NodeId)>& is_such) {
  std::vector<NodeId> all(graph.nodes.size());
  std::iota(all.begin(), all.end(), NodeId{0});
  std::vector<bool> result(graph.nodes.size());
  for (const NodeId id : nodes_below(graph, all)) {
    const std::vector<NodeId> read = nodes_read(graph, id);
    result[id] = is_such(id) && std::ranges::all_of(read, [&](NodeId one) { return result[one]; });
  }
  return result;
}

}  // namespace sinter
