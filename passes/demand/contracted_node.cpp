#include "passes/demand/contracted_node.h"

#include <optional>

#include "passes/analysis/values/contraction.h"

namespace sinter {

NodeId contracted_node(const DemandGraph& graph, const Instruction& sum, const std::vector<NodeId>& operands) {
  const std::optional<size_t> slot = contracted_product(sum);
  if (!slot) return kNoNode;
  const DemandNode& node = graph.nodes[operands[*slot]];
  const bool is_product = node.kind == DemandNode::Kind::kCompute && node.instruction->opcode == Opcode::kMultiply;
  return is_product ? operands[*slot] : kNoNode;
}

}  // namespace sinter
