// What a node of a demand graph reads: the one answer to that question, for all that walk the graph.
#pragma once

#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// What a node reads another one as.
enum class ReadAs : uint8_t {
  kOperand,  // one of its operands
  kIndex,    // a runtime value in its index
  kTerm,     // of a reduction: what it begins with, and the terms of one that is written out
  kStep,     // of a reduction in a loop: what its steps combine, test and choose by
  kState,    // of a loop's result: what the loop carries, stores and runs by
};

// visit(NodeId, ReadAs) for each, operands first; for one as often as it is read.
template <class Visit>
void visit_reads(const DemandGraph& graph, NodeId id, const Visit& visit) {
  const DemandNode& node = graph.nodes[id];
  const auto visit_all = [&](const std::vector<NodeId>& read, ReadAs as) {
    for (const NodeId one : read) visit(one, as);
  };
  // One an accumulator, but for products, whose values are the factors.
  const auto visit_state = [&](const DemandReduce& reduce, const std::vector<NodeId>& read, ReadAs as) {
    for (size_t i = 0; i < read.size(); ++i) {
      if (reduce.is_read(i)) visit(read[i], as);
    }
  };
  const auto visit_values = [&](const IndexExpr& expr, ReadAs as) {
    expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kValue) visit(atom.id, as);
    });
  };
  visit_all(node.operands, ReadAs::kOperand);
  visit_values(node.expr, ReadAs::kIndex);
  if (node.kind == DemandNode::Kind::kReduce) {
    const DemandReduce& reduce = graph.reduces[node.reduce];
    visit_state(reduce, reduce.init, ReadAs::kTerm);
    visit_state(reduce, reduce.values, ReadAs::kStep);
    visit_state(reduce, reduce.combined, ReadAs::kStep);
    for (const std::vector<NodeId>& term : reduce.terms) visit_all(term, ReadAs::kTerm);
    for (const DemandTest& test : reduce.tests) visit_values(test.expr, ReadAs::kStep);
    visit_values(reduce.place, ReadAs::kStep);
    for (const DemandReduce::Tap& tap : reduce.taps) visit(tap.position, ReadAs::kStep);
    visit_all(reduce.match, ReadAs::kStep);
  }
  if (node.kind == DemandNode::Kind::kLoopResult) {
    const DemandLoop& loop = graph.loops[node.loop];
    for (const DemandLoop::Slot& slot : loop.slots) {
      visit(slot.init, ReadAs::kState);
      visit(slot.next, ReadAs::kState);
    }
    if (loop.condition != kNoNode) visit(loop.condition, ReadAs::kState);
    for (const DemandLoop::Stack& stack : loop.stacks) {
      for (const auto& [offset, value] : stack.stores) visit(value, ReadAs::kState);
    }
  }
}

inline std::vector<NodeId> nodes_read(const DemandGraph& graph, NodeId id) {
  std::vector<NodeId> read;
  visit_reads(graph, id, [&](NodeId one, ReadAs) { read.push_back(one); });
  return read;
}

}  // namespace sinter
