#include "passes/lower/text/rotation.h"

namespace sinter {

std::optional<int64_t> constant_shift(const DemandGraph& graph, const DemandNode& node) {
  if (node.kind != DemandNode::Kind::kCompute) return std::nullopt;
  const Opcode opcode = node.instruction->opcode;
  if (opcode != Opcode::kShiftLeft && opcode != Opcode::kShiftRightLogical && opcode != Opcode::kShiftRightArithmetic) {
    return std::nullopt;
  }
  const DemandNode& amount = graph.nodes[node.operands[1]];
  if (amount.kind != DemandNode::Kind::kConstant) return std::nullopt;
  const int64_t value = amount.literal.integer_at(0);
  if (value < 0 || value >= dtype_bits(node.dtype)) return std::nullopt;
  return value;
}

std::optional<Rotation> rotation(const DemandGraph& graph, NodeId id) {
  const DemandNode& node = graph.nodes[id];
  if (node.kind != DemandNode::Kind::kCompute || node.instruction->opcode != Opcode::kOr) return std::nullopt;
  if (node.dtype != DType::kU32 && node.dtype != DType::kU64) return std::nullopt;
  const DemandNode* left = &graph.nodes[node.operands[0]];
  const DemandNode* right = &graph.nodes[node.operands[1]];
  const std::optional<int64_t> amounts[2] = {constant_shift(graph, *left), constant_shift(graph, *right)};
  if (!amounts[0] || !amounts[1] || left->operands[0] != right->operands[0]) return std::nullopt;
  if (*amounts[0] + *amounts[1] != dtype_bits(node.dtype)) return std::nullopt;
  const Opcode first = left->instruction->opcode;
  const Opcode second = right->instruction->opcode;
  if (first == Opcode::kShiftLeft && second == Opcode::kShiftRightLogical)
    return Rotation{left->operands[0], *amounts[0]};
  if (first == Opcode::kShiftRightLogical && second == Opcode::kShiftLeft)
    return Rotation{left->operands[0], *amounts[1]};
  return std::nullopt;
}

}  // namespace sinter
