#include "passes/stages/attend/attend_stage.h"

#include <algorithm>

#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/attention.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/attend/attend_work.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

std::optional<AttentionDemand> demand_of(const Instruction& fusion) {
  const Computation& computation = **fusion.attributes->calls;
  const std::vector<Attention> found = find_attention(*computation.root());
  if (found.size() != 1) return std::nullopt;  // products that bias scores are outside
  std::set<const Instruction*> computed;
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode != Opcode::kParameter) computed.insert(&instruction);
  }
  std::optional<AttentionDemand> demand = demand_attention(found[0], computation, computed);
  if (!demand) return std::nullopt;
  for (const ContractOperand* operand : {&demand->queries, &demand->key_elements, &demand->value_elements})
    bind_parameters(*operand->graph, fusion);
  bind_parameters(*demand->score, fusion);
  if (demand->seen_score) bind_parameters(*demand->seen_score, fusion);
  if (demand->sink) bind_parameters(*demand->sink, fusion);
  for (std::optional<TileCopy>& copy : demand->copies) {
    if (copy) copy->array = argument_of(fusion, *copy->array);
  }
  return demand;
}

// Of an array that has more than the rows of this attention, as those of other layers, no more than it has. Keys that
// are values too are read once.
int64_t elements_read(const AttentionDemand& demand, const Instruction& operand) {
  int64_t read = 0;
  const IndexExpr* before = nullptr;
  for (const size_t number : {size_t{1}, size_t{2}}) {
    if (demand.copies[number]->array != &operand) continue;
    const IndexExpr& from = demand.copies[number]->from;
    if (before != nullptr && *before == from) continue;
    before = &from;
    const IndexRange range = from.range();
    const int64_t rows = demand.batch * demand.keys * (number == 1 ? demand.features : demand.values);
    read += std::min(rows, range.high - range.low + 1);
  }
  const int64_t all = operand.shape.element_count();
  return read == 0 ? all : std::min(read, all);
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
  if (const Instruction* operand = computed_operand(kernel, *result.fusion)) return fail(operand, "own-stage-operand");
  std::optional<AttentionDemand> attention = demand_of(*result.fusion);
  if (!attention) return fail(result.fusion, "unsupported-op");
  result.attention = std::move(*attention);
  result.forms = attend_forms(result.attention);
  if (result.forms.empty()) return fail(result.fusion, "unsupported-op");

  const int64_t largest = largest_operand(*result.fusion);
  constexpr int kElement = 3;
  const auto whole = [&](const Instruction& operand) {
    const IndexExpr number = IndexExpr::coordinate(kElement, {0, largest - 1});
    return element_of(operand, number.floor_mod(elements_read(result.attention, operand)));
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
  const AttendForm& form = demand->forms[0];
  OwnStageShape shape;
  shape.grid[0] = attend_blocks(attention, form);
  shape.grid[1] = form.parts;
  shape.most_parts = most_parts(attention, form);
  shape.block[0] = form.warps * kWarp;
  for (const AttendForm& other : demand->forms)
    shape.others.push_back({attend_blocks(attention, other), most_parts(attention, other), other.warps * kWarp});
  shape.nodes = static_cast<int64_t>(demand->epilogue.all->nodes.size() + attention.score->nodes.size());
  shape.work = attend_work(attention, form);
  return shape;
}

}  // namespace sinter
