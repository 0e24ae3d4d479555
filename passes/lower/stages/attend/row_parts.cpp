#include "passes/lower/stages/attend/row_parts.h"

#include <set>

#include "passes/demand/nodes_below.h"

namespace sinter {

GraphPart part_of(const DemandGraph& graph, const std::vector<NodeId>& results,
                  const std::function<bool(NodeId)>& is_given) {
  GraphPart part = {graph, {}};
  part.graph.nodes.clear();
  part.graph.results.clear();
  for (const NodeId id : nodes_below(graph, results, is_given)) {
    DemandNode node = graph.nodes[id];
    if (is_given && is_given(id)) {
      node.kind = DemandNode::Kind::kParameter;
      node.operands.clear();
      node.expr = IndexExpr();
    }
    for (NodeId& operand : node.operands) operand = part.nodes.at(operand);
    node.expr = node.expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      if (atom.kind != IndexExpr::AtomKind::kValue) return std::nullopt;
      return IndexExpr::value(part.nodes.at(atom.id), atom.range);
    });
    part.nodes[id] = static_cast<NodeId>(part.graph.nodes.size());
    part.graph.nodes.push_back(std::move(node));
  }
  for (const NodeId id : results) part.graph.results.push_back(part.nodes.at(id));
  part.graph.set_scopes();
  return part;
}

bool write_values_of(StageWriter& w, const IndexExpr& index, Expressions* expressions, Block* block) {
  std::set<NodeId> read;
  index.visit_leaves([&](const IndexExpr::Atom& atom) {
    if (atom.kind == IndexExpr::AtomKind::kValue) read.insert(atom.id);
  });
  if (read.empty()) return false;
  const std::vector<NodeId> values(read.begin(), read.end());
  const GraphPart part = part_of(*expressions->graph, values);
  Expressions own = w.expressions_of(part.graph, expressions->coordinates);
  const std::vector<const Expr*> spelled = w.results_of(part.graph, own, block);
  for (size_t i = 0; i < values.size(); ++i) expressions->members[values[i]] = spelled[i];
  return true;
}

}  // namespace sinter
