#include "passes/demand/views/load_runs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "passes/analysis/values/hardware.h"
#include "passes/demand/views/needed_nodes.h"

namespace sinter {

namespace {

// An arm of as many loads is written as statements (choose_guard_forms).
constexpr int64_t kLoadsOfStatements = 4;

// Loads at places that differ in their constants alone, which keep all others multiples of a whole access.
struct Neighbours {
  int scope = 0;
  int64_t width = 1;             // at the most
  std::map<int64_t, NodeId> at;  // by the constant
};

}  // namespace

std::vector<LoadRun> loads_at_once(const DemandGraph& graph) {
  std::vector<LoadRun> runs;
  if (graph.column_coordinate >= 0 || !graph.loops.empty()) return runs;
  const std::vector<bool> needed = needed_nodes(graph);
  std::vector<int64_t> loads(graph.scopes.size());
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    if (needed[id] && graph.nodes[id].kind == DemandNode::Kind::kLoad) ++loads[graph.nodes[id].scope];
  }
  using Place = std::tuple<int, const Instruction*, IndexExpr>;
  std::map<Place, size_t> places;
  std::vector<Neighbours> all;  // in the order of the graph
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (!needed[id] || node.kind != DemandNode::Kind::kLoad || !node.instruction->shape.is_array()) continue;
    const DemandScope& scope = graph.scopes[node.scope];
    const bool is_arm = scope.kind == DemandScope::Kind::kGuard && loads[node.scope] >= kLoadsOfStatements;
    if (node.scope != 0 && !is_arm) continue;
    if (node.instruction->shape.dtype != node.dtype) continue;
    const auto [place, is_new] =
        places.emplace(Place(node.scope, node.instruction, node.expr - node.expr.constant()), all.size());
    if (is_new) {
      int64_t width = kAccessBytes / dtype_bytes(node.dtype);
      for (const IndexExpr::Term& term : node.expr.terms()) {
        while (width > 1 && term.coefficient % width != 0) width /= 2;
      }
      all.push_back({node.scope, node.expr.terms().empty() ? 1 : width, {}});
    }
    all[place->second].at.emplace(node.expr.constant(), static_cast<NodeId>(id));
  }
  for (const Neighbours& neighbours : all) {
    for (auto first = neighbours.at.begin(); first != neighbours.at.end();) {
      const int64_t begin = first->first;
      int64_t width = neighbours.width;
      const auto is_whole = [&] {
        if (begin % width != 0) return false;
        for (int64_t i = 1; i < width; ++i) {
          if (neighbours.at.count(begin + i) == 0) return false;
        }
        return true;
      };
      while (width > 1 && !is_whole()) width /= 2;
      LoadRun run = {neighbours.scope, {}};
      for (int64_t i = 0; i < std::max<int64_t>(width, 1); ++i) run.loads.push_back((first++)->second);
      if (width > 1) runs.push_back(std::move(run));
    }
  }
  return runs;
}

}  // namespace sinter
