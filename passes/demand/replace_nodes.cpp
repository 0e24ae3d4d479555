#include "passes/demand/replace_nodes.h"

namespace sinter {

void replace_nodes(DemandGraph* graph, const std::map<NodeId, NodeId>& replaced, const std::set<NodeId>& except) {
  const auto replace = [&](NodeId& id) {
    const auto found = replaced.find(id);
    if (found != replaced.end()) id = found->second;
  };
  const auto replace_all = [&](std::vector<NodeId>& ids) {
    for (NodeId& id : ids) replace(id);
  };
  const auto rewrite = [&](IndexExpr& expr) {
    expr = expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      if (atom.kind != IndexExpr::AtomKind::kValue || replaced.count(atom.id) == 0) return std::nullopt;
      return IndexExpr::value(replaced.at(atom.id), atom.range);
    });
  };
  for (size_t id = 0; id < graph->nodes.size(); ++id) {
    if (except.count(static_cast<NodeId>(id)) > 0) continue;
    replace_all(graph->nodes[id].operands);
    rewrite(graph->nodes[id].expr);
  }
  for (DemandReduce& reduce : graph->reduces) {
    for (auto* list : {&reduce.init, &reduce.values, &reduce.combined, &reduce.match}) replace_all(*list);
    for (std::vector<NodeId>& term : reduce.terms) replace_all(term);
    for (DemandReduce::Tap& tap : reduce.taps) replace(tap.position);
    for (DemandTest& test : reduce.tests) rewrite(test.expr);
    for (auto& [step, place] : reduce.solved) rewrite(place);
    for (auto& [dimension, start] : reduce.starts) rewrite(start);
    rewrite(reduce.place);
  }
  for (DemandLoop& loop : graph->loops) {
    for (DemandLoop::Slot& slot : loop.slots) {
      replace(slot.init);
      replace(slot.next);
    }
    if (loop.condition != kNoNode) replace(loop.condition);
    for (DemandLoop::Stack& stack : loop.stacks) {
      for (auto& [offset, value] : stack.stores) {
        rewrite(offset);
        replace(value);
      }
    }
  }
  for (DemandStore& store : graph->stores) {
    replace(store.node);
    rewrite(store.offset);
  }
  replace_all(graph->results);
}

void join_results(const DemandGraph& graph, std::set<NodeId>* nodes) {
  std::map<NodeId, std::vector<NodeId>> results;
  for (const NodeId id : *nodes) {
    const DemandNode& node = graph.nodes[id];
    if (node.kind == DemandNode::Kind::kCallResult) results[node.operands[0]].push_back(id);
  }
  for (const auto& [call, its_results] : results) {
    if (its_results.size() < 2) continue;
    for (const NodeId id : its_results) nodes->erase(id);
    nodes->insert(call);
  }
}

}  // namespace sinter
