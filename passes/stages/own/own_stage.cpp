#include "passes/stages/own/own_stage.h"

#include <algorithm>

#include "ir/support/diagnostics.h"

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

std::optional<size_t> result_number(const Instruction& maker, const Instruction& output) {
  if (&output == &maker) return 0;
  if (output.opcode != Opcode::kGetTupleElement || output.operand(0) != &maker) return std::nullopt;
  return static_cast<size_t>(*output.attributes->tuple_index);
}

bool may_have_block(const OwnStageShape& shape, int64_t threads) {
  const int64_t most = shape.block[0] * shape.block[1] * shape.block[2];
  return shape.group > 0 && threads > 0 && threads % shape.group == 0 && most % threads == 0;
}

namespace {

// Whether a thread makes its steps for its element alone, a known number of them, and keeps nothing of each.
bool is_of_element(const DemandLoop& loop) {
  return loop.counter >= 0 && loop.stacks.empty() && std::ranges::none_of(loop.slots, &DemandLoop::Slot::shared);
}

}  // namespace

bool finish_operands(DemandGraph& graph, std::optional<DemandGraph::Failure>* failure, bool with_loops) {
  const bool may_loop = with_loops && std::ranges::all_of(graph.loops, is_of_element);
  if (graph.failure || !graph.finish({})) {
    *failure = graph.failure;
  } else if (!graph.loops.empty() && !may_loop) {
    *failure = DemandGraph::Failure{graph.loops[0].instruction, "own-stage-operand"};
  } else if (!graph.reduces.empty()) {
    *failure = DemandGraph::Failure{graph.reduces[0].instruction, "own-stage-operand"};
  }
  return !failure->has_value();
}

const Instruction* argument_of(const Instruction& fusion, const Instruction& parameter) {
  check(parameter.opcode == Opcode::kParameter, "own-stage", fusion.name + " reads what is no operand of it");
  return fusion.operand(static_cast<size_t>(parameter.parameter_number));
}

void bind_parameters(DemandGraph& graph, const Instruction& fusion) {
  for (DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad) node.instruction = argument_of(fusion, *node.instruction);
  }
}

const Instruction* computed_operand(const KernelValues& kernel, const Instruction& fusion) {
  const auto& operands = fusion.operands();
  const auto found = std::find_if(operands.begin(), operands.end(), [&](const Instruction* operand) {
    return kernel.context.computed.count(operand) > 0;
  });
  return found == operands.end() ? nullptr : *found;
}

int64_t largest_operand(const Instruction& fusion) {
  int64_t largest = 1;
  for (const Instruction* operand : fusion.operands()) largest = std::max(largest, operand->shape.element_count());
  return largest;
}

std::vector<IndexExpr> element_of(const Instruction& operand, const IndexExpr& number) {
  return delinearize(number.floor_mod(operand.shape.element_count()), operand.shape.dims);
}

bool demand_whole_operands(const Instruction& fusion, DemandGraph* graph) {
  const IndexExpr element = graph->coordinate(graph->add_coordinate(largest_operand(fusion), CoordinateRole::kElement));
  for (const Instruction* operand : fusion.operands()) {
    const NodeId node = graph->demand(operand, element_of(*operand, element));
    if (graph->failure) return false;
    graph->results.push_back(node);
  }
  return true;
}

}  // namespace sinter
