#include "passes/stages/network/network_stage.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/network.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

const Instruction* argument_of(const Instruction& fusion, const Instruction& parameter) {
  check(parameter.opcode == Opcode::kParameter, "network", "a network reads what is no operand of it");
  return fusion.operand(static_cast<size_t>(parameter.parameter_number));
}

// Parameters of the fusion's computation are what it is called with.
void bind_parameters(DemandGraph& graph, const Instruction& fusion) {
  for (DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad) node.instruction = argument_of(fusion, *node.instruction);
  }
}

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
  // What its operands are computed from would be made again for each block that reads them.
  for (const Instruction* operand : result.fusion->operands()) {
    if (kernel.context.computed.count(operand) > 0) return fail(operand, "own-stage-operand");
  }
  std::optional<NetworkDemand> network = demand_of(*result.fusion);
  if (!network) return fail(result.fusion, "unsupported-op");
  result.network = std::move(*network);
  const std::optional<NetworkForm> form = network_form(result.network);
  if (!form) return fail(result.fusion, "unsupported-op");
  result.form = *form;

  // All of each operand is read, in whatever order: counted along one more coordinate.
  int64_t largest = 1;
  for (const Instruction* operand : result.fusion->operands())
    largest = std::max(largest, operand->shape.element_count());
  constexpr int kElement = 2;
  const auto whole = [&](const Instruction& operand) {
    const IndexExpr element = IndexExpr::coordinate(kElement, {0, largest - 1});
    return delinearize(element.floor_mod(operand.shape.element_count()), operand.shape.dims);
  };
  std::optional<EpilogueDemand> epilogue = demand_epilogue(kernel, *result.fusion,
                                                           {{result.network.rows, CoordinateRole::kRow},
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
  for (const NetworkLayer& layer : demand->network.layers) nodes += layer.graph ? layer.graph->nodes.size() : 0;
  shape.nodes = static_cast<int64_t>(nodes);
  shape.work = network_work(demand->network, demand->form);
  return shape;
}

}  // namespace sinter
