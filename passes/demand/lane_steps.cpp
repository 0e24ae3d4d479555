#include "passes/demand/lane_steps.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "passes/demand/nodes_read.h"

namespace sinter {

namespace {

using Kind = DemandNode::Kind;

// What stands in a step: beside the test of its position, or behind it.
bool is_of_steps(const DemandReduce& reduce, const DemandNode& node) {
  return node.scope == reduce.scope || (reduce.guard != 0 && node.scope == reduce.guard);
}

// What a step may compute of what differs among neighbours.
bool is_plain(const DemandNode& node) {
  switch (node.kind) {
    case Kind::kLoad:
    case Kind::kIndex:
    case Kind::kCompute:
    case Kind::kClampIndex:
      return true;
    case Kind::kChoose:
      return node.arm_scope[0] == 0 && node.arm_scope[1] == 0;
    default:
      return false;
  }
}

}  // namespace

std::vector<bool> nodes_along(const DemandGraph& graph, int coordinate) {
  std::vector<bool> along(graph.nodes.size(), false), known(graph.nodes.size(), false);
  std::vector<NodeId> stack, below;
  for (NodeId first = 0; first < std::ssize(graph.nodes); ++first) {
    stack = {first};
    while (!stack.empty()) {
      const NodeId id = stack.back();
      below.clear();
      if (!known[id]) visit_reads(graph, id, [&](NodeId part, ReadAs) { below.push_back(part); });
      const size_t size = stack.size();
      std::ranges::copy_if(below, std::back_inserter(stack), [&](NodeId part) { return !known[part]; });
      if (stack.size() > size) continue;
      stack.pop_back();
      if (known[id]) continue;
      known[id] = true;
      along[id] = graph.nodes[id].expr.reads_coordinate(coordinate) ||
                  std::ranges::any_of(below, [&](NodeId part) { return along[part]; });
    }
  }
  return along;
}

bool has_steps_along(const DemandGraph& graph, int reduce, const std::vector<bool>& along) {
  if (graph.reduces[reduce].scope < 0) return false;
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    if (graph.nodes[id].kind == Kind::kReduce && graph.nodes[id].reduce == reduce && along[id]) return true;
  }
  return false;
}

bool may_share_steps(const DemandGraph& graph, int number, const std::vector<bool>& along) {
  const DemandReduce& reduce = graph.reduces[number];
  const bool plain = reduce.scope > 0 && !reduce.cooperative && !reduce.fills && !reduce.chooses &&
                     reduce.accumulators.empty() && reduce.tests.empty() && reduce.match.empty();
  if (!plain || graph.nested_steps(reduce) < 2) return false;
  if (graph.scopes[reduce.scope].kind != DemandScope::Kind::kReduce || graph.scopes[reduce.scope].parent != 0)
    return false;
  const auto differs = [&](NodeId id) { return along[id]; };
  if (std::ranges::any_of(reduce.init, differs)) return false;
  if (std::ranges::any_of(reduce.taps, differs, &DemandReduce::Tap::position)) return false;
  std::vector<bool> seen(graph.nodes.size(), false);
  std::vector<NodeId> stack = reduce.values;
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (seen[id] || !along[id]) continue;
    seen[id] = true;
    if (!is_of_steps(reduce, graph.nodes[id]) || !is_plain(graph.nodes[id])) return false;
    visit_reads(graph, id, [&](NodeId part, ReadAs) { stack.push_back(part); });
  }
  return true;
}

void share_steps(DemandGraph* graph, int number, int coordinate, const IndexExpr& place, int64_t width, int lane) {
  const DemandReduce& reduce = graph->reduces[number];
  DemandScope scope;
  scope.kind = DemandScope::Kind::kLanes;
  scope.parent = reduce.guard != 0 ? reduce.guard : reduce.scope;
  graph->scopes.push_back(scope);
  const int lanes = static_cast<int>(graph->scopes.size()) - 1;
  graph->add_coordinate(width, CoordinateRole::kElement, lanes);
  const IndexExpr own = place + graph->coordinate(lane_of_steps(*graph, lanes));
  for (size_t id = 0; id < graph->nodes.size(); ++id) {
    if (is_of_steps(reduce, graph->nodes[id])) {
      IndexExpr& expr = graph->nodes[id].expr;
      expr = expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
        if (atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == coordinate) return own;
        return std::nullopt;
      });
    }
    if (graph->nodes[id].kind != Kind::kReduce || graph->nodes[id].reduce != number) continue;
    // The array stands at the list's end, and the element where its readers look for the result.
    DemandNode element;
    element.kind = Kind::kElement;
    element.instruction = graph->nodes[id].instruction;
    element.dtype = graph->nodes[id].dtype;
    element.operands = {static_cast<NodeId>(graph->nodes.size())};
    element.expr = graph->coordinate(lane);
    graph->nodes.push_back(graph->nodes[id]);
    graph->nodes[id] = std::move(element);
    return;
  }
}

int lanes_of_steps(const DemandGraph& graph, const DemandReduce& reduce) {
  if (reduce.scope <= 0) return 0;
  for (size_t scope = 1; scope < graph.scopes.size(); ++scope) {
    const DemandScope& lanes = graph.scopes[scope];
    if (!is_lanes_of_steps(graph, static_cast<int>(scope))) continue;
    if (lanes.parent == (reduce.guard != 0 ? reduce.guard : reduce.scope)) return static_cast<int>(scope);
  }
  return 0;
}

bool is_lanes_of_steps(const DemandGraph& graph, int scope) {
  return graph.scopes[scope].kind == DemandScope::Kind::kLanes && graph.scopes[scope].parent != 0;
}

NodeId sums_of_element(const DemandGraph& graph, NodeId node) {
  const DemandNode& element = graph.nodes[node];
  if (element.kind != Kind::kElement || graph.nodes[element.operands[0]].kind != Kind::kReduce) return node;
  const DemandReduce& reduce = graph.reduces[graph.nodes[element.operands[0]].reduce];
  return lanes_of_steps(graph, reduce) > 0 ? element.operands[0] : node;
}

int lane_of_steps(const DemandGraph& graph, int scope) { return graph.scopes[scope].coordinates[0]; }

}  // namespace sinter
