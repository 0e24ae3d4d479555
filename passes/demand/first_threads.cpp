#include "passes/demand/first_threads.h"

namespace sinter {

int first_threads(DemandGraph* graph, int64_t elements) {
  for (size_t scope = 0; scope < graph->scopes.size(); ++scope) {
    if (!is_of_first_threads(*graph, scope)) continue;
    const int coordinate = graph->scopes[scope].coordinates[0];
    if (graph->coordinates[coordinate].extent == elements) return coordinate;
  }
  graph->scopes.emplace_back();
  return graph->add_coordinate(elements, CoordinateRole::kElement, static_cast<int>(graph->scopes.size()) - 1);
}

bool is_of_first_threads(const DemandGraph& graph, size_t scope) {
  return scope > 0 && graph.scopes[scope].kind == DemandScope::Kind::kKernel;
}

}  // namespace sinter
