#include "passes/stages/stencil/levels_stage.h"

#include "passes/analysis/functions/stencil_levels.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

bool takes_levels(const Instruction& instruction) { return is_stencil_levels(instruction); }

std::optional<LevelsDemand> demand_levels(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  LevelsDemand result;
  result.fusion = only_taken(kernel, takes_levels);
  if (result.fusion == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  const Instruction& fusion = *result.fusion;
  if (const Instruction* operand = computed_operand(kernel, fusion)) return fail(operand, "own-stage-operand");
  const auto& attributes = fusion.annotations->frontend_attributes;
  const auto text = attributes.find(kLevelsForm);
  const std::optional<LevelsForm> form = text == attributes.end() ? std::nullopt : parse_levels(text->second);
  const Computation& computation = **fusion.attributes->calls;
  std::optional<Levels> levels = find_levels(computation, kept_levels(computation), /*inside=*/true);
  if (!form || !levels || shared_bytes(*levels, *form) > kSharedBytesOfBlock || tiles_of(*levels, *form) > INT32_MAX)
    return fail(&fusion, "unsupported-op");
  for (const LevelPass& pass : levels->passes) {
    if (rows_of(pass, *form) < 1 || columns_of(pass, *form) < 1) return fail(&fusion, "unsupported-op");
  }
  result.form = *form;
  result.levels = std::move(*levels);
  for (LevelPass& pass : result.levels.passes) {
    bind_parameters(*pass.elements.graph, fusion);
    if (pass.inside) bind_parameters(*pass.inside->graph, fusion);
    if (!pass.wide) continue;
    for (WideRead& read : *pass.wide) {
      if (!read.level) read.array = pass.inside->graph->nodes[read.nodes[0].first].instruction;
    }
  }
  result.results = results_of(computation);
  result.outputs.resize(result.results.size());
  for (const Instruction* output : kernel.outputs) {
    const std::optional<size_t> number = result_number(fusion, *output);
    if (!number || *number >= result.outputs.size()) return fail(output, "own-stage");
    result.outputs[*number] = output;
  }
  return result;
}

std::optional<OwnStageShape> levels_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<LevelsDemand> demand = demand_levels(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  shape.grid[0] = tiles_of(demand->levels, demand->form);
  shape.block[0] = demand->form.warps * kWarp;
  for (const LevelPass& pass : demand->levels.passes)
    shape.nodes += static_cast<int64_t>(pass.elements.graph->nodes.size());
  shape.work = levels_work(demand->levels, demand->form);
  return shape;
}

}  // namespace sinter
