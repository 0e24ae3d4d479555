#include "passes/lower/write/split_lanes.h"

#include <algorithm>

#include "passes/stages/domain/vectorize.h"

namespace sinter {

WriteOptions::Lanes split_lanes(DemandGraph* graph, int coordinate, int64_t width, int* first) {
  WriteOptions::Lanes lanes;
  lanes.width = width;
  DemandScope scope;
  scope.kind = DemandScope::Kind::kLanes;
  graph->scopes.push_back(scope);
  lanes.scope = static_cast<int>(graph->scopes.size()) - 1;
  lanes.lane = graph->add_coordinate(width, CoordinateRole::kElement, lanes.scope);
  const int base = graph->add_coordinate(graph->coordinates[coordinate].extent - width + 1, CoordinateRole::kElement);
  graph->coordinates[base].step = width;
  *first = base;
  const IndexExpr sum =
      IndexExpr::coordinate(base, {0, graph->coordinates[base].extent - 1}) + graph->coordinate(lanes.lane);
  const auto rewrite = [&](IndexExpr& expr) {
    expr = expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      if (atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == coordinate) return sum;
      return std::nullopt;
    });
  };
  for (DemandNode& node : graph->nodes) rewrite(node.expr);
  for (DemandStore& store : graph->stores) {
    rewrite(store.offset);
    if (store.owners.empty()) store.scope = lanes.scope;
    std::replace(store.owners.begin(), store.owners.end(), coordinate, base);
  }
  const int lane = lanes.lane;
  lanes.aligned = [graph, lane, base, width](const IndexExpr& offset) {
    return is_vector_offset(*graph, offset, lane, base, width);
  };
  graph->set_scopes();
  for (size_t id = 0; id < graph->nodes.size(); ++id) {
    const DemandNode& node = graph->nodes[id];
    if (node.kind == DemandNode::Kind::kLoad && lanes.aligned(node.expr))
      lanes.loads.emplace_back(node.expr, static_cast<NodeId>(id));
  }
  return lanes;
}

}  // namespace sinter
