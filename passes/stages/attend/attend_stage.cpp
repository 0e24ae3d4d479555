#include "passes/stages/attend/attend_stage.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/attention.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/attend/attend_work.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

// Parameters of the fusion's computation are what it is called with.
void bind_parameters(DemandGraph& graph, const Instruction& fusion) {
  for (DemandNode& node : graph.nodes) {
    if (node.kind != DemandNode::Kind::kLoad) continue;
    check(node.instruction->opcode == Opcode::kParameter, "attend", "attention reads what is no operand of it");
    node.instruction = fusion.operand(static_cast<size_t>(node.instruction->parameter_number));
  }
}

std::optional<AttentionDemand> demand_of(const Instruction& fusion) {
  const Computation& computation = **fusion.attributes->calls;
  const std::optional<Attention> attention = find_attention(*computation.root());
  if (!attention) return std::nullopt;
  std::set<const Instruction*> computed;
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode != Opcode::kParameter) computed.insert(&instruction);
  }
  std::optional<AttentionDemand> demand = demand_attention(*attention, computation, computed);
  if (!demand) return std::nullopt;
  for (const ContractOperand* operand : {&demand->queries, &demand->key_elements, &demand->value_elements})
    bind_parameters(*operand->graph, fusion);
  bind_parameters(*demand->score, fusion);
  if (demand->seen_score) bind_parameters(*demand->seen_score, fusion);
  for (std::optional<TileCopy>& copy : demand->copies) {
    if (copy) copy->array = fusion.operand(static_cast<size_t>(copy->array->parameter_number));
  }
  return demand;
}

}  // namespace

bool takes_attend(const Instruction& instruction) { return is_attention(instruction); }

std::optional<AttendDemand> demand_attend(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  AttendDemand result;
  result.fusion = only_taken(kernel, takes_attend);
  if (result.fusion == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  // What its operands are computed from would be made again for each block that reads them.
  for (const Instruction* operand : result.fusion->operands()) {
    if (kernel.context.computed.count(operand) > 0) return fail(operand, "own-stage-operand");
  }
  std::optional<AttentionDemand> attention = demand_of(*result.fusion);
  if (!attention) return fail(result.fusion, "unsupported-op");
  result.attention = std::move(*attention);
  const std::optional<AttendForm> form = attend_form(result.attention);
  if (!form) return fail(result.fusion, "unsupported-op");
  result.form = *form;

  // All of each operand is read, in whatever order: counted along one more coordinate.
  int64_t largest = 1;
  for (const Instruction* operand : result.fusion->operands())
    largest = std::max(largest, operand->shape.element_count());
  constexpr int kElement = 3;
  const auto whole = [&](const Instruction& operand) {
    const IndexExpr element = IndexExpr::coordinate(kElement, {0, largest - 1});
    return delinearize(element.floor_mod(operand.shape.element_count()), operand.shape.dims);
  };
  std::optional<EpilogueDemand> epilogue = demand_epilogue(kernel, *result.fusion,
                                                           {{result.attention.batch, CoordinateRole::kBatch},
                                                            {result.attention.rows, CoordinateRole::kRow},
                                                            {result.attention.values, CoordinateRole::kColumn},
                                                            {largest, CoordinateRole::kElement}},
                                                           result.attention.result_index, whole, failure);
  if (!epilogue) return std::nullopt;
  result.epilogue = std::move(*epilogue);
  return result;
}

std::optional<OwnStageShape> attend_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<AttendDemand> demand = demand_attend(kernel, failure);
  if (!demand) return std::nullopt;
  const AttentionDemand& attention = demand->attention;
  const AttendForm& form = demand->form;
  OwnStageShape shape;
  shape.grid[0] = attention.batch * ceil_div(attention.rows, form.rows);
  shape.grid[1] = form.parts;
  shape.most_parts = most_parts(attention, form);
  shape.block[0] = form.warps * kWarp;
  shape.nodes = static_cast<int64_t>(demand->epilogue.all->nodes.size() + attention.score->nodes.size());
  shape.work = attend_work(attention, form);
  return shape;
}

}  // namespace sinter
