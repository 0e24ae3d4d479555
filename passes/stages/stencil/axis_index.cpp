#include "passes/stages/stencil/axis_index.h"

namespace sinter {

static void add_leaves(const DemandGraph& graph, const IndexExpr& expr, std::set<int>* leaves) {
  expr.visit_leaves([&](const IndexExpr::Atom& atom) {
    if (atom.kind == IndexExpr::AtomKind::kCoordinate) {
      leaves->insert(atom.id);
      return;
    }
    std::vector<NodeId> left = {atom.id};
    while (!left.empty()) {
      const DemandNode& node = graph.nodes[left.back()];
      left.pop_back();
      if (node.kind == DemandNode::Kind::kLoad) leaves->insert(kOfData);
      add_leaves(graph, node.expr, leaves);
      left.insert(left.end(), node.operands.begin(), node.operands.end());
    }
  });
}

std::set<int> leaves_of(const DemandGraph& graph, const IndexExpr& expr) {
  std::set<int> leaves;
  add_leaves(graph, expr, &leaves);
  return leaves;
}

IndexExpr single(const IndexExpr::Term& term) {
  switch (term.atom->kind) {
    case IndexExpr::AtomKind::kCoordinate:
      return IndexExpr::coordinate(term.atom->id, term.atom->range) * term.coefficient;
    case IndexExpr::AtomKind::kValue:
      return IndexExpr::value(term.atom->id, term.atom->range) * term.coefficient;
    case IndexExpr::AtomKind::kMod:
      return term.atom->operand.floor_mod(term.atom->divisor) * term.coefficient;
    default:
      return term.atom->operand.floor_div(term.atom->divisor) * term.coefficient;
  }
}

}  // namespace sinter
