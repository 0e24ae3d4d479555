#include "passes/stages/own/own_stages.h"

#include "passes/stages/own/bins_stage.h"
#include "passes/stages/own/fft_stage.h"
#include "passes/stages/own/scatter_stage.h"
#include "passes/stages/own/solve_stage.h"
#include "passes/stages/own/sort_stage.h"
#include "passes/stages/own/topk_stage.h"

namespace sinter {

namespace {

constexpr OwnStage kOwnStages[] = {
    {"sort", takes_sort, sort_shape},
    {"topk", takes_topk, topk_shape},
    {.schedule = "bins", .takes = takes_bins, .shape = bins_shape, .has_epilogue = true},
    {"scatter", takes_scatter, scatter_shape},
    {.schedule = "fft", .takes = takes_fft, .shape = fft_shape, .has_epilogue = true},
    {"solve", takes_solve, solve_shape},
};

}  // namespace

const OwnStage* own_stage(const Instruction& instruction) {
  for (const OwnStage& stage : kOwnStages) {
    if (stage.takes(instruction)) return &stage;
  }
  return nullptr;
}

const OwnStage* own_stage(std::string_view schedule) {
  for (const OwnStage& stage : kOwnStages) {
    if (stage.schedule == schedule) return &stage;
  }
  return nullptr;
}

const Instruction* own_instruction(const KernelValues& kernel) {
  const Instruction* found = nullptr;
  for (const Instruction* value : kernel.context.computed) {
    if (own_stage(*value) == nullptr) continue;
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
