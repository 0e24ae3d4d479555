#include "passes/lower/write/split_lanes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "passes/demand/lane_steps.h"
#include "passes/demand/views/lane_places.h"
#include "passes/stages/domain/shifted_load.h"
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
  const std::vector<bool> along = nodes_along(*graph, coordinate);
  for (int number = 0; number < std::ssize(graph->reduces); ++number) {
    if (has_steps_along(*graph, number, along) && may_share_steps(*graph, number, along)) {
      const IndexExpr place = IndexExpr::coordinate(base, {0, graph->coordinates[base].extent - 1});
      share_steps(graph, number, coordinate, place, width, lanes.lane);
    }
  }
  std::set<NodeId> shared_tests;  // of choices: what the first lane finds, all do
  for (size_t id = 0; id < graph->nodes.size(); ++id) {
    const DemandNode& node = graph->nodes[id];
    if (node.kind == DemandNode::Kind::kChoose && is_same_for_lanes(*graph, node, coordinate, width))
      shared_tests.insert(static_cast<NodeId>(id));
  }
  std::map<NodeId, ShiftedLoad> shifted;
  const std::map<int, ArmOf> arms_before = arms_by_scope(*graph);
  for (size_t id = 0; id < graph->nodes.size(); ++id) {
    std::optional<ShiftedLoad> load = shifted_load(*graph, arms_before, graph->nodes[id], coordinate, width);
    if (load) shifted.emplace(static_cast<NodeId>(id), std::move(*load));
  }
  visit_exprs(graph, [&](IndexExpr& expr) {
    if (expr.reads_coordinate(coordinate))
      expr = apart_from_lane(with_coordinate(expr, coordinate, sum), base, lanes.lane, width);
  });
  for (const NodeId id : shared_tests) {
    IndexExpr& test = graph->nodes[id].expr;
    test = with_coordinate(test, lanes.lane, IndexExpr(0));
  }
  for (DemandStore& store : graph->stores) {
    if (store.owners.empty()) store.scope = lanes.scope;
    std::replace(store.owners.begin(), store.owners.end(), coordinate, base);
  }
  const int lane = lanes.lane;
  lanes.aligned = [graph, lane, base, width](const IndexExpr& offset) {
    if (is_vector_offset(*graph, offset, lane, base, width)) return true;
    for (int scope = 1; scope < std::ssize(graph->scopes); ++scope) {
      const bool is_read = is_lanes_of_steps(*graph, scope);
      if (is_read && is_vector_offset(*graph, offset, lane_of_steps(*graph, scope), base, width)) return true;
    }
    return false;
  };
  graph->set_scopes();
  lanes.records = find_records(*graph, lane, {base}, lanes.scope, width);
  const std::map<int, ArmOf> arms = arms_by_scope(*graph);
  // The tests that a load in front of the lanes stands behind; nullopt where it must stand in them.
  using Test = WriteOptions::Lanes::Test;
  const auto tests_of = [&](const DemandNode& load) -> std::optional<std::vector<Test>> {
    std::vector<Test> tests;
    bool shared = true;
    for (int scope = load.scope; scope != 0 && scope != lanes.scope; scope = graph->scopes[scope].parent) {
      const auto arm = arms.find(scope);
      const bool is_shared = arm != arms.end() && shared_tests.count(arm->second.choice) > 0;
      shared &= is_shared;
      if (!is_shared) continue;
      const DemandNode& choice = graph->nodes[arm->second.choice];
      const Test test = {{choice.expr, choice.low, choice.high}, arm->second.passes};
      if (std::find(tests.begin(), tests.end(), test) == tests.end()) tests.insert(tests.begin(), test);
    }
    if (!shared && !is_inside_array(load)) return std::nullopt;
    return tests;
  };
  for (size_t id = 0; id < graph->nodes.size(); ++id) {
    const DemandNode& node = graph->nodes[id];
    const auto found = shifted.find(static_cast<NodeId>(id));
    if (found != shifted.end()) {
      std::vector<Test> tests;
      for (const ArmOf& arm : found->second.arms) {
        const DemandNode& choice = graph->nodes[arm.choice];
        const Test test = {{choice.expr, choice.low, choice.high}, arm.passes};
        if (std::find(tests.begin(), tests.end(), test) == tests.end()) tests.push_back(test);
      }
      const IndexExpr place = with_coordinate(found->second.place, coordinate, sum);
      lanes.loads.push_back({static_cast<NodeId>(id), std::move(tests), place, found->second.shift});
    } else if (node.kind == DemandNode::Kind::kLoad && !is_lanes_of_steps(*graph, node.scope) &&
               lanes.aligned(node.expr)) {
      lanes.loads.push_back({static_cast<NodeId>(id), tests_of(node), node.expr});
    } else if (node.kind == DemandNode::Kind::kLoad && !is_lanes_of_steps(*graph, node.scope)) {
      const std::optional<PickedLoad> picked = picked_load(node, base, lanes.lane, width);
      if (picked && is_inside_array(node) && lanes.aligned(picked->place))
        lanes.loads.push_back({static_cast<NodeId>(id), tests_of(node), picked->place, 0, picked->pick});
    }
  }
  return lanes;
}

}  // namespace sinter
