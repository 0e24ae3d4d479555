#include "passes/demand/views/needed_nodes.h"

#include "passes/demand/nodes_read.h"

namespace sinter {

std::vector<bool> needed_nodes(const DemandGraph& graph, const NodeOperands& operands_of) {
  std::vector<bool> needed(graph.nodes.size(), false);
  std::vector<NodeId> stack = graph.results;
  const auto push = [&](const std::vector<NodeId>& nodes) { stack.insert(stack.end(), nodes.begin(), nodes.end()); };
  const auto push_values_of = [&](const IndexExpr& expr) {
    expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kValue) stack.push_back(atom.id);
    });
  };
  for (const DemandStore& store : graph.stores) {
    stack.push_back(store.node);
    push_values_of(store.offset);
  }
  for (const ColumnPhase& phase : graph.phases) {
    for (const auto& [slot, node] : phase.keeps) stack.push_back(node);
  }
  // What other loops carry, those need that read what they leave.
  for (const DemandLoop& loop : graph.loops) {
    if (loop.stacks.empty()) continue;
    for (const DemandLoop::Slot& slot : loop.slots) push({slot.init, slot.next});
    if (loop.condition != kNoNode) stack.push_back(loop.condition);
    for (const DemandLoop::Stack& stacked : loop.stacks) {
      for (const auto& [offset, value] : stacked.stores) {
        stack.push_back(value);
        push_values_of(offset);
      }
    }
  }
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (needed[id]) continue;
    needed[id] = true;
    if (operands_of) push(operands_of(id));
    visit_reads(graph, id, [&](NodeId read, ReadAs as) {
      if (as != ReadAs::kOperand || !operands_of) stack.push_back(read);
    });
  }
  return needed;
}

std::vector<bool> needed_loops(const DemandGraph& graph, const std::vector<bool>& nodes) {
  std::vector<bool> needed(graph.loops.size(), false);
  for (size_t loop = 0; loop < graph.loops.size(); ++loop) needed[loop] = !graph.loops[loop].stacks.empty();
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (nodes[id] && node.kind == DemandNode::Kind::kLoopResult) needed[node.loop] = true;
  }
  return needed;
}

}  // namespace sinter
