#include "passes/stages/own/row_function_stage.h"

#include <algorithm>

#include "ir/module/device_functions.h"
#include "passes/analysis/values/latencies.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

constexpr int64_t kElementsOfThread = 4;
constexpr int64_t kWidestBlock = 256;
constexpr double kElementCost = 20;  // of what the function does, which nobody sees: as much as one of elements

}  // namespace

const Shape& row_shape(const Instruction& call, const Shape& result) {
  if (call.operands().empty()) return result;
  const Shape& first = call.operand(0)->shape;
  const bool reduces = first.is_array() && first.rank() == result.rank() + 1 &&
                       std::equal(result.dims.begin(), result.dims.end(), first.dims.begin());
  return reduces ? first : result;
}

int64_t row_bytes(const Instruction& call, const Shape& result) {
  int64_t bytes = dtype_bytes(result.dtype);
  for (const Instruction* operand : call.operands()) bytes += dtype_bytes(operand->shape.dtype);
  return bytes * row_shape(call, result).dims.back();
}

std::optional<RowFunctionDemand> demand_row_function(const KernelValues& kernel,
                                                     std::optional<DemandGraph::Failure>* failure) {
  RowFunctionDemand result;
  result.call = only_taken(kernel, takes_row_function);
  if (result.call == nullptr) {
    *failure = DemandGraph::Failure{kernel.outputs[0], "unsupported-op"};
    return std::nullopt;
  }
  const Shape& shape = row_shape(*result.call, result.call->shape);
  result.reduces = shape.rank() != result.call->shape.rank();
  result.columns = shape.dims.back();
  result.rows = shape.element_count() / result.columns;
  while (result.threads < kWidestBlock && result.threads * kElementsOfThread < result.columns) result.threads *= 2;

  result.graph = std::make_unique<DemandGraph>(kernel.context);
  DemandGraph& graph = *result.graph;
  result.row = graph.add_coordinate(result.rows, CoordinateRole::kRow);
  result.column = graph.add_coordinate(result.columns, CoordinateRole::kColumn);
  std::vector<IndexExpr> index =
      delinearize(graph.coordinate(result.row), std::vector<int64_t>(shape.dims.begin(), shape.dims.end() - 1));
  const std::vector<IndexExpr> of_row = index;
  index.push_back(graph.coordinate(result.column));
  for (const Instruction* operand : result.call->operands()) {
    const NodeId node = graph.demand(operand, index);
    if (!graph.failure) graph.results.push_back(node);
  }
  if (!finish_operands(graph, failure)) return std::nullopt;
  std::optional<EpilogueDemand> epilogue = demand_epilogue(
      kernel, *result.call, {{result.rows, CoordinateRole::kRow}, {result.columns, CoordinateRole::kColumn}},
      result.reduces ? of_row : index, [&](const Instruction&) { return index; }, failure);
  if (!epilogue) return std::nullopt;
  result.epilogue = std::move(*epilogue);
  return result;
}

bool takes_row_function(const Instruction& instruction) {
  return calls_row_function(instruction) && instruction.shape.is_array() &&
         row_shape(instruction, instruction.shape).element_count() > 0;
}

std::optional<OwnStageShape> row_function_shape(const KernelValues& kernel,
                                                std::optional<DemandGraph::Failure>* failure) {
  const std::optional<RowFunctionDemand> demand = demand_row_function(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  shape.grid[0] = demand->rows;
  shape.block[0] = demand->threads;
  shape.nodes = static_cast<int64_t>(demand->epilogue.all->nodes.size());
  const auto elements = static_cast<double>(demand->rows * demand->columns);
  Work& work = shape.work;
  work.flops = work.f32 = kElementCost * elements;
  work.memory = 4 * elements;
  work.chain = 4 * (kSharedCycles + kBarrierCycles) + kElementCost * kArithmeticCycles;
  return shape;
}

}  // namespace sinter
