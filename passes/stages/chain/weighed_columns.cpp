#include "passes/stages/chain/weighed_columns.h"

#include <algorithm>
#include <cmath>

#include "passes/stages/attend/hidden_keys.h"
#include "passes/stages/chain/chain.h"

namespace sinter {

namespace {

class WeightReader {
 public:
  WeightReader(const DemandGraph& graph, int64_t columns, const std::set<const Instruction*>& by_sums)
      : graph_(graph), columns_(columns), by_sums_(by_sums) {}

  // The columns where `id` may be other than 0.
  SeenKeys at(NodeId id) {
    const DemandNode& node = graph_.nodes[id];
    if (node.kind != DemandNode::Kind::kCompute) return {};
    switch (node.instruction->opcode) {
      case Opcode::kConvert:
      case Opcode::kNegate:
        return at(node.operands[0]);
      case Opcode::kDivide:
        return by_sums_.count(node.instruction) > 0 || is_number(node.operands[1]) ? at(node.operands[0]) : SeenKeys();
      case Opcode::kMultiply:
        return both(at(node.operands[0]), at(node.operands[1]));
      case Opcode::kSelect:
        return of_select(node);
      case Opcode::kExponential:
        return of_exponential(graph_.nodes[node.operands[0]]);
      default:
        return {};
    }
  }

  // The same of those where it may be other than a number, which `others` is set to.
  SeenKeys of_largest(NodeId id, double* others) const {
    const DemandNode& node = graph_.nodes[id];
    if (node.kind != DemandNode::Kind::kCompute || node.instruction->opcode != Opcode::kSelect) return {};
    for (const bool taken : {true, false}) {
      const DemandNode& constant = graph_.nodes[node.operands[taken ? 2 : 1]];
      if (constant.kind != DemandNode::Kind::kConstant) continue;
      *others = constant.literal.real_at(0);
      return std::isnan(*others) ? SeenKeys() : seen_keys(graph_, node.operands[0], taken, columns_);
    }
    return {};
  }

  std::vector<WeighedColumns::Condition> conditions;

 private:
  // A number other than 0.
  bool is_number(NodeId id) const {
    const DemandNode& node = graph_.nodes[id];
    return node.kind == DemandNode::Kind::kConstant && std::abs(node.literal.real_at(0)) > 0;
  }
  bool is_zero(NodeId id) const {
    const DemandNode& node = graph_.nodes[id];
    return node.kind == DemandNode::Kind::kConstant && node.literal.real_at(0) == 0;
  }

  SeenKeys of_select(const DemandNode& node) {
    for (const bool taken : {true, false}) {
      if (!is_zero(node.operands[taken ? 2 : 1])) continue;
      return both(seen_keys(graph_, node.operands[0], taken, columns_), at(node.operands[taken ? 1 : 2]));
    }
    return {};
  }

  // exp(select(seen, score, constant) - largest): 0 of what is not seen, if `largest` is larger by enough.
  SeenKeys of_exponential(const DemandNode& difference) {
    if (difference.kind != DemandNode::Kind::kCompute || difference.instruction->opcode != Opcode::kSubtract) return {};
    const DemandNode& score = graph_.nodes[difference.operands[0]];
    const DemandNode& largest = graph_.nodes[difference.operands[1]];
    if (score.kind != DemandNode::Kind::kCompute || score.instruction->opcode != Opcode::kSelect ||
        largest.kind != DemandNode::Kind::kLoad || largest.dtype != DType::kF32)
      return {};
    const bool of_row = !largest.expr.reads_coordinate(kChainColumn),
               of_column = !largest.expr.reads_coordinate(kChainRow);
    if (of_row == of_column) return {};
    for (const bool taken : {true, false}) {
      const DemandNode& constant = graph_.nodes[score.operands[taken ? 2 : 1]];
      if (constant.kind != DemandNode::Kind::kConstant || !is_float(constant.dtype)) continue;
      const double hidden = constant.literal.real_at(0);
      SeenKeys seen = seen_keys(graph_, score.operands[0], taken, columns_);
      if (std::isnan(hidden) || !seen.some()) continue;
      const WeighedColumns::Condition condition = {largest.instruction, largest.expr, hidden + kNoWeight};
      const bool known = std::any_of(conditions.begin(), conditions.end(), [&](const auto& other) {
        return other.array == condition.array && other.at == condition.at && other.bound == condition.bound;
      });
      if (!known) conditions.push_back(condition);
      return seen;
    }
    return {};
  }

  const DemandGraph& graph_;
  const int64_t columns_;
  const std::set<const Instruction*>& by_sums_;
};

}  // namespace

std::optional<WeighedColumns> weighed_columns(const DemandGraph& weights, int64_t columns, bool largest,
                                              const std::set<const Instruction*>& by_sums) {
  WeightReader reader(weights, columns, by_sums);
  WeighedColumns all;
  for (size_t result = 0; result < weights.results.size(); ++result) {
    const NodeId id = weights.results[result];
    const SeenKeys seen = largest ? reader.of_largest(id, &all.others) : reader.at(id);
    if (result == 0) {
      all.first = seen.first;
      all.last = seen.last;
    }
    if (!seen.first || !all.first || !(*seen.first == *all.first)) all.first.reset();
    if (!seen.last || !all.last || !(*seen.last == *all.last)) all.last.reset();
  }
  if (!all.first && !all.last) return std::nullopt;
  all.conditions = std::move(reader.conditions);
  return all;
}

}  // namespace sinter
