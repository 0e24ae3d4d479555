// Other nodes in the place of some, wherever a demand graph reads them.
#pragma once

#include <map>
#include <set>

#include "passes/demand/demand.h"

namespace sinter {

// What reads a key of `replaced` reads its value from here on, but for the nodes `except`.
void replace_nodes(DemandGraph* graph, const std::map<NodeId, NodeId>& replaced, const std::set<NodeId>& except);

// Where several results of one call are among the nodes, the call in their place.
void join_results(const DemandGraph& graph, std::set<NodeId>* nodes);

// A copy of a node for which `is_copied`, and of all such nodes that it is computed from; others are read as they are.
// `copies` has those made before, and gets the new ones. `adapt(node)` may change each before it is added.
template <class IsCopied, class Adapt>
NodeId copy_node(DemandGraph* graph, NodeId id, const IsCopied& is_copied, const Adapt& adapt,
                 std::map<NodeId, NodeId>* copies) {
  const auto found = copies->find(id);
  if (found != copies->end()) return found->second;
  if (!is_copied(id)) return id;
  const auto copied = [&](NodeId part) { return copy_node(graph, part, is_copied, adapt, copies); };
  DemandNode node = graph->nodes[id];
  for (NodeId& operand : node.operands) operand = copied(operand);
  node.expr = node.expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
    if (atom.kind != IndexExpr::AtomKind::kValue) return std::nullopt;
    return IndexExpr::value(copied(atom.id), atom.range);
  });
  adapt(&node);
  graph->nodes.push_back(std::move(node));
  return (*copies)[id] = static_cast<NodeId>(graph->nodes.size()) - 1;
}

}  // namespace sinter
