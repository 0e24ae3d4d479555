#include "passes/stages/stencil/packed_bytes.h"

#include <algorithm>
#include <set>

#include "passes/demand/views/needed_nodes.h"

namespace sinter {

static bool is_byte(DType dtype) { return dtype == DType::kU8 || dtype == DType::kS8 || dtype == DType::kPred; }

std::optional<double> packed_cost(const DemandGraph& graph, NodeId id) {
  const DemandNode& node = graph.nodes[id];
  if (!is_byte(node.dtype)) return std::nullopt;
  if (node.kind == DemandNode::Kind::kConstant) return 0;
  if (node.kind != DemandNode::Kind::kCompute || node.instruction == nullptr) return std::nullopt;
  const bool all = std::ranges::all_of(node.operands, [&](NodeId one) { return is_byte(graph.nodes[one].dtype); });
  if (!all) return std::nullopt;
  constexpr double kSum = 4, kComparison = 4, kChoice = 3;
  const bool is_truth = node.dtype == DType::kPred;
  switch (node.instruction->opcode) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
      return is_truth ? std::nullopt : std::optional(kSum);
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
      return 1;
    case Opcode::kCompare: {
      const std::string& direction = *node.instruction->attributes->direction;
      return direction == "EQ" || direction == "NE" ? std::optional(kComparison) : std::nullopt;
    }
    case Opcode::kConvert:
      return is_truth && graph.nodes[node.operands[0]].dtype != DType::kPred ? kComparison : 0;
    case Opcode::kSelect:
      return kChoice;
    default:
      return std::nullopt;
  }
}

bool is_packed(const LevelPass& pass) {
  if (!pass.wide) return false;
  const DemandGraph& graph = *pass.inside->graph;
  std::set<NodeId> read;
  for (const WideRead& one : *pass.wide) {
    if (!is_byte(one.array->shape.dtype)) return false;
    for (const auto& [node, column] : one.nodes) read.insert(node);
  }
  const std::vector<bool> needed = needed_nodes(graph);
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    if (!needed[id] || read.count(static_cast<NodeId>(id)) > 0) continue;
    if (!packed_cost(graph, static_cast<NodeId>(id))) return false;
  }
  return true;
}

}  // namespace sinter
