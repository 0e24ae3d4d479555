#include "passes/stages/stencil/stencil_stage.h"

#include <algorithm>

#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/stencil_steps.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/constants.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

const Instruction* loop_of(const Instruction& fusion) {
  for (const Instruction& instruction : (*fusion.attributes->calls)->instructions()) {
    if (instruction.opcode == Opcode::kWhile) return &instruction;
  }
  return nullptr;
}

// Of steps that no loop of the host stands around: start and step of a carry that begins as a known integer.
std::optional<std::pair<int64_t, int64_t>> counted_from(const Instruction& start, const Instruction& loop,
                                                        size_t carry) {
  const Instruction& next = *(*loop.attributes->body)->root()->operand(carry);
  if (start.opcode != Opcode::kConstant || next.opcode != Opcode::kAdd || !next.shape.is_scalar()) return std::nullopt;
  const std::optional<int64_t> first = splat_integer(start);
  for (const size_t side : {0, 1}) {
    const std::optional<int64_t> step = splat_integer(*next.operand(1 - side));
    if (first && step && carry_read(*next.operand(side)) == carry) return std::pair(*first, *step);
  }
  return std::nullopt;
}

}  // namespace

bool takes_stencil(const Instruction& instruction) { return is_stencil_steps(instruction); }

std::optional<StencilDemand> demand_stencil(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  StencilDemand result;
  result.fusion = only_taken(kernel, takes_stencil);
  if (result.fusion == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  const Instruction& fusion = *result.fusion;
  const auto& attributes = fusion.annotations->frontend_attributes;
  const auto text = attributes.find(kTilesForm);
  const std::optional<TilesForm> form = text == attributes.end() ? std::nullopt : parse_tiles(text->second);
  const Instruction* loop = loop_of(fusion);
  if (!form || loop == nullptr) return fail(&fusion, "unsupported-op");
  result.form = *form;
  // Its last carry counts the steps that are left.
  StepCounters counters = {{loop->shape.elements.size() - 1, {0, 1}}};
  for (size_t i = 0; i < fusion.operands().size(); ++i) {
    const Instruction* operand = fusion.operand(i);
    if (kernel.context.computed.count(operand) > 0) return fail(operand, "own-stage-operand");
    const auto counter = kernel.context.counters.find(operand);
    if (counter != kernel.context.counters.end()) {
      counters[i] = {counter->second.first, counter->second.second / form->steps_at_once};
    } else if (const auto counted = counted_from(*operand, *loop, i)) {
      counters[i] = *counted;
    }
  }
  std::optional<Stencil> stencil = find_stencil(*loop, counters, form->steps);
  if (!stencil) return fail(&fusion, "unsupported-op");
  result.stencil = std::move(*stencil);
  const auto bind_carries = [&](Stencil& of) {
    for (DemandNode& node : of.graph->nodes) {
      if (node.kind == DemandNode::Kind::kLoad) node.instruction = fusion.operand(*carry_read(*node.instruction));
    }
  };
  bind_carries(result.stencil);
  if (result.stencil.inside != nullptr) bind_carries(*result.stencil.inside);
  for (const Stencil::State& state : result.stencil.states) result.before.push_back(fusion.operand(state.carry));
  for (const Stencil::Number& number : result.stencil.numbers) result.before.push_back(fusion.operand(number.carry));
  result.after.resize(result.before.size());
  for (const Instruction* output : kernel.outputs) {
    const std::optional<size_t> number = result_number(fusion, *output);
    if (!number || *number >= result.after.size()) return fail(output, "own-stage");
    result.after[*number] = output;
  }
  return result;
}

std::optional<OwnStageShape> stencil_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<StencilDemand> demand = demand_stencil(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  shape.grid[0] = tiles_of(demand->stencil, demand->form);
  shape.block[0] = demand->form.warps * kWarp;
  shape.nodes = static_cast<int64_t>(demand->stencil.graph->nodes.size());
  shape.work = tiles_work(demand->stencil, demand->form);
  return shape;
}

}  // namespace sinter
