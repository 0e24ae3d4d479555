#include "passes/demand/views/lane_updates.h"

#include <algorithm>
#include <vector>

#include "passes/demand/nodes_below.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/demand/views/row_stride.h"

namespace sinter {

namespace {

int64_t row_stride(const DemandGraph& graph, const IndexExpr& place, const LaneRows& rows) {
  return row_stride(place, rows.row, graph.coordinate(rows.row), rows.rows);
}

}  // namespace

bool reads_late(const DemandGraph& graph, const Instruction* update, const Instruction* array,
                const std::optional<LaneRows>& rows) {
  const auto stores_update = [&](const DemandStore& store) { return store.value == update; };
  const auto own = std::ranges::find_if(graph.stores, stores_update);
  if (own == graph.stores.end() || std::ranges::count_if(graph.stores, stores_update) != 1) return true;
  const int64_t stride = rows ? row_stride(graph, own->offset, *rows) : 0;
  const bool has_columns = graph.column_coordinate >= 0 && graph.coordinates[graph.column_coordinate].extent > 1;
  // What has an element for each column is stored as the columns are gone through, before or after the update.
  const auto stores_columns = [&](const DemandStore& store) { return store.owners.empty(); };
  if (rows && has_columns && std::ranges::any_of(graph.stores, stores_columns)) return true;

  const std::vector<bool> needed = needed_nodes(graph);
  const auto is_load = [&](NodeId id) {
    return graph.nodes[id].kind == DemandNode::Kind::kLoad && graph.nodes[id].instruction == array;
  };
  const auto is_in_columns = [&](NodeId id) {
    return rows && has_columns && graph.nodes[id].expr.reads_coordinate(graph.column_coordinate);
  };
  for (NodeId id = 0; id < static_cast<NodeId>(graph.nodes.size()); ++id) {
    if (!needed[id] || !is_load(id) || graph.nodes[id].expr == own->offset) continue;
    if (!rows || stride == 0 || row_stride(graph, graph.nodes[id].expr, *rows) != stride) return true;
  }
  // An element that a thread reads where another value is stored may come after the update.
  for (const DemandStore& store : graph.stores) {
    if (stores_update(store) || store.node == kNoNode) continue;
    std::vector<NodeId> read = {store.node};
    store.offset.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kValue) read.push_back(atom.id);
    });
    const auto is_late = [&](NodeId id) { return is_load(id) && !is_in_columns(id); };
    if (std::ranges::any_of(nodes_below(graph, read), is_late)) return true;
  }
  return false;
}

}  // namespace sinter
