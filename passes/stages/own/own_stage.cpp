#include "passes/stages/own/own_stage.h"

namespace sinter {

const Instruction* only_taken(const KernelValues& kernel, bool (*takes)(const Instruction& instruction)) {
  const Instruction* found = nullptr;
  for (const Instruction* value : kernel.context.computed) {
    if (!takes(*value)) continue;
    if (found != nullptr) return nullptr;
    found = value;
  }
  return found;
}

bool finish_operands(DemandGraph& graph, std::optional<DemandGraph::Failure>* failure) {
  if (graph.failure || !graph.finish({})) {
    *failure = graph.failure;
  } else if (!graph.loops.empty()) {
    *failure = DemandGraph::Failure{graph.loops[0].instruction, "own-stage-operand"};
  } else if (!graph.reduces.empty()) {
    *failure = DemandGraph::Failure{graph.reduces[0].instruction, "own-stage-operand"};
  }
  return !failure->has_value();
}

}  // namespace sinter
