#include "passes/stages/results/own_elements.h"

namespace sinter {

std::optional<std::vector<NodeId>> own_elements(DemandGraph* graph, const Instruction& source, const IndexExpr& own) {
  std::vector<NodeId> elements;
  for (size_t id = 0; id < graph->nodes.size(); ++id) {
    DemandNode& node = graph->nodes[id];
    if (node.kind != DemandNode::Kind::kLoad || node.instruction != &source) continue;
    if (!(node.expr == own)) return std::nullopt;
    node.kind = DemandNode::Kind::kParameter;
    node.expr = IndexExpr();
    node.guard = 0;
    elements.push_back(static_cast<NodeId>(id));
  }
  graph->set_scopes();
  return elements;
}

}  // namespace sinter
