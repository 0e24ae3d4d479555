#include "passes/stages/network/network_stage.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/network.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

std::optional<NetworkDemand> demand_of(const Instruction& fusion) {
  const Computation& computation = **fusion.attributes->calls;
  const std::optional<Network> network = network_in(computation);
  if (!network) return std::nullopt;
  std::optional<NetworkDemand> demand = demand_network(*network, computation);
  if (!demand) return std::nullopt;
  bind_parameters(*demand->first.graph, fusion);
  if (demand->copy) demand->copy->array = argument_of(fusion, *demand->copy->array);
  for (NetworkLayer& layer : demand->layers) {
    layer.weights = argument_of(fusion, *layer.weights);
    if (layer.graph) bind_parameters(*layer.graph, fusion);
    if (layer.rows.empty()) continue;
    bind_parameters(*layer.rows.graph, fusion);
    for (const RowStatistics::Phase& phase : layer.rows.statistics.phases) bind_parameters(*phase.graph, fusion);
    for (const RowStatistics::Number& number : layer.rows.statistics.numbers) bind_parameters(*number.graph, fusion);
  }
  return demand;
}

}  // namespace

bool takes_network(const Instruction& instruction) { return is_network(instruction); }

std::optional<NetworkStageDemand> demand_network_stage(const KernelValues& kernel,
                                                       std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  NetworkStageDemand result;
  result.fusion = only_taken(kernel, takes_network);
  if (result.fusion == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  if (const Instruction* operand = computed_operand(kernel, *result.fusion)) return fail(operand, "own-stage-operand");
  std::optional<NetworkDemand> network = demand_of(*result.fusion);
  if (!network) return fail(result.fusion, "unsupported-op");
  result.network = std::move(*network);
  const std::optional<NetworkForm> form = network_form(result.network);
  if (!form) return fail(result.fusion, "unsupported-op");
  result.form = *form;

  const int64_t largest = largest_operand(*result.fusion);
  constexpr int kElement = 3;
  const auto whole = [&](const Instruction& operand) {
    return element_of(operand, IndexExpr::coordinate(kElement, {0, largest - 1}));
  };
  std::optional<EpilogueDemand> epilogue = demand_epilogue(kernel, *result.fusion,
                                                           {{1, CoordinateRole::kBatch},
                                                            {result.network.rows, CoordinateRole::kRow},
                                                            {result.network.columns(), CoordinateRole::kColumn},
                                                            {largest, CoordinateRole::kElement}},
                                                           result.network.result_index, whole, failure);
  if (!epilogue) return std::nullopt;
  result.epilogue = std::move(*epilogue);
  return result;
}

std::optional<OwnStageShape> network_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<NetworkStageDemand> demand = demand_network_stage(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  shape.grid[0] = ceil_div(demand->network.rows, demand->form.rows());
  shape.block[0] = NetworkForm::kWarps * kWarp;
  size_t nodes = demand->epilogue.all->nodes.size() + demand->network.first.graph->nodes.size();
  for (const NetworkLayer& layer : demand->network.layers) {
    for (const DemandGraph* graph : layer.graphs()) nodes += graph->nodes.size();
  }
  shape.nodes = static_cast<int64_t>(nodes);
  shape.work = network_work(demand->network, demand->form);
  return shape;
}

}  // namespace sinter
