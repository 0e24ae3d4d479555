#include "passes/stages/scans/scan.h"

#include <algorithm>

#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/results/own_elements.h"

namespace sinter {

namespace {

// A shorter row is summed up anew for each of its elements.
constexpr int64_t kMinColumns = 17;

// The index of the element at (row, column).
std::vector<IndexExpr> element_index(const Shape& shape, const ScanExtents& extents, const IndexExpr& row,
                                     const IndexExpr& column) {
  std::vector<int64_t> others = shape.dims;
  others[extents.dimension] = 1;
  std::vector<IndexExpr> index = delinearize(row, others);
  index[extents.dimension] = column;
  return index;
}

// Stores of every output at the scan's element. False on failure.
bool demand_outputs(const KernelValues& kernel, const Shape& shape, const ScanExtents& extents, DemandGraph* graph,
                    IndexExpr* linear) {
  const IndexExpr row = graph->coordinate(graph->add_coordinate(extents.rows, CoordinateRole::kRow));
  const IndexExpr column = graph->coordinate(graph->add_coordinate(extents.columns, CoordinateRole::kColumn));
  *linear = linearize(element_index(shape, extents, row, column), shape.dims);
  for (const Instruction* output : kernel.outputs) {
    if (!graph->store(output, delinearize(*linear, stored_shape(kernel.context, *output).dims))) return false;
  }
  return graph->finish({});
}

}  // namespace

std::optional<ScanExtents> scan_extents(const Instruction& window) {
  const std::optional<CumulativeWindow> cumulative = cumulative_window(window);
  if (!cumulative || !is_by_one_operation(window)) return std::nullopt;
  ScanExtents extents;
  extents.dimension = cumulative->dimension;
  extents.reverse = cumulative->reverse;
  extents.columns = window.shape.dims[static_cast<size_t>(cumulative->dimension)];
  if (extents.columns < kMinColumns || window.shape.element_count() == 0) return std::nullopt;
  extents.rows = window.shape.element_count() / extents.columns;
  if (extents.rows > INT32_MAX) return std::nullopt;
  return extents;
}

int64_t scan_block(const ScanExtents& extents) {
  constexpr int64_t kBlock = 256;
  // Many rows fill the multiprocessors with small blocks, several of which wait for memory at a time.
  const bool small = extents.columns <= 16 * kBlock || extents.rows >= 8 * kMultiprocessors;
  return std::min(ceil_div(extents.columns, kWarp) * kWarp, small ? kBlock : kMostThreads);
}

std::optional<ScanDemand> demand_scan(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  ScanDemand result;
  for (const Instruction* value : kernel.context.computed) {
    if (!is_scan(*value)) continue;
    if (result.scan != nullptr) return fail(kernel.outputs[0], "unsupported-op");
    result.scan = value;
  }
  if (result.scan == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  const Shape& shape = result.scan->shape;
  result.extents = *scan_extents(*result.scan);
  for (const Instruction* output : kernel.outputs) {
    const bool fits =
        output->shape.is_array() && stored_shape(kernel.context, *output).element_count() == shape.element_count();
    if (!fits) return fail(output, "domain-mismatch");
  }
  IndexExpr linear;
  result.graph = std::make_unique<DemandGraph>(kernel.context);
  if (!demand_outputs(kernel, shape, result.extents, result.graph.get(), &linear)) {
    *failure = result.graph->failure;
    return std::nullopt;
  }
  if (!result.graph->loops.empty()) return fail(result.graph->loops[0].instruction, "loop-in-row");
  for (const DemandReduce& reduce : result.graph->reduces) {
    if (reduce.instruction != result.scan) return fail(reduce.instruction, "reduction-not-of-the-row");
  }

  // After the scan: its element is loaded like any value from outside, and must be the thread's own.
  result.epilogue_context = std::make_unique<DemandContext>(kernel.context);
  result.epilogue_context->computed.erase(result.scan);
  result.epilogue = std::make_unique<DemandGraph>(*result.epilogue_context);
  DemandGraph& epilogue = *result.epilogue;
  if (!demand_outputs(kernel, shape, result.extents, &epilogue, &linear)) {
    *failure = epilogue.failure;
    return std::nullopt;
  }
  const std::optional<std::vector<NodeId>> elements = own_elements(&epilogue, *result.scan, linear);
  if (!elements || elements->empty()) return fail(result.scan, "domain-mismatch");
  result.elements = *elements;

  result.operand = std::make_unique<DemandGraph>(kernel.context);
  DemandGraph& operand = *result.operand;
  const IndexExpr row = operand.coordinate(operand.add_coordinate(result.extents.rows, CoordinateRole::kRow));
  const IndexExpr column = operand.coordinate(operand.add_coordinate(result.extents.columns, CoordinateRole::kColumn));
  const NodeId node = operand.demand(result.scan->operand(0), element_index(shape, result.extents, row, column));
  const NodeId init = operand.failure ? kNoNode : operand.demand(result.scan->operand(1), {});
  if (operand.failure) {
    *failure = operand.failure;
    return std::nullopt;
  }
  if (operand.nodes[init].kind != DemandNode::Kind::kConstant) return fail(result.scan->operand(1), "unsupported-op");
  result.init = operand.nodes[init].literal;
  operand.results = {node};
  if (!operand.finish({})) {
    *failure = operand.failure;
    return std::nullopt;
  }
  return result;
}

}  // namespace sinter
