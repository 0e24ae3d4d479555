#include "passes/demand/demand_contexts.h"

#include <utility>

namespace sinter {

DemandContext& add_context(DemandContexts* contexts, const Computation& level, std::set<const Instruction*> computed) {
  DemandContext& context = *contexts->emplace_back(std::make_unique<DemandContext>());
  context.level = &level;
  context.computed = std::move(computed);
  return context;
}

std::unique_ptr<DemandGraph> matrix_graph(const DemandContext& context, int64_t batch, MatrixCoordinate first,
                                          MatrixCoordinate second) {
  auto graph = std::make_unique<DemandGraph>(context);
  graph->add_coordinate(batch, CoordinateRole::kBatch);
  graph->add_coordinate(first.extent, first.role);
  graph->add_coordinate(second.extent, second.role);
  return graph;
}

}  // namespace sinter
