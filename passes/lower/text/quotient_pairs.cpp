#include "passes/lower/text/quotient_pairs.h"

#include <algorithm>
#include <cmath>

#include "passes/lower/text/exact_division.h"
#include "passes/lower/text/float_magnitude.h"

namespace sinter {

namespace {

// The least quotient that the check lets through, as in templates/device/divide_twice.cuh.
constexpr double kLeastQuotient = 0x1p-40;
// The dividend below which a quotient by the constant c needs a check is c times this (templates/device/divisor.cuh);
// with two bits for what the product's roundings take.
constexpr double kTinyDividend = 0x1p-98;
constexpr int kMostFactors = 4;

bool is_operation(const DemandNode& node, Opcode opcode) {
  return node.kind == DemandNode::Kind::kCompute && node.dtype == DType::kF32 && node.instruction->opcode == opcode;
}

// Whether n / d is right in five instructions wherever it is not tiny: the estimate of 1 / d is refined to the nearest
// float, unless the bits of d are all ones.
bool divides_quickly(const Magnitude& d) {
  int exponent = 0;
  const double fraction = std::frexp(d.least, &exponent);
  return !d.zero && fraction > 0 && std::abs(exponent) <= 20 && d.most < std::ldexp(1 - 0x1p-24, exponent);
}

// Whether a quotient that is not tiny is still not, times all of these.
bool keep_from_tiny(const DemandGraph& graph, const std::vector<NodeId>& factors, double divisor) {
  double least = kLeastQuotient;
  for (const NodeId factor : factors) {
    const Magnitude known = magnitude(graph, factor);
    if (known.zero) return false;
    least *= std::min(1.0, known.least);
  }
  return least >= std::fabs(divisor) * kTinyDividend;
}

}  // namespace

std::map<NodeId, QuotientPair> quotient_pairs(const DemandGraph& graph) {
  std::map<NodeId, QuotientPair> pairs;
  for (NodeId id = 0; id < static_cast<NodeId>(graph.nodes.size()); ++id) {
    const DemandNode& second = graph.nodes[id];
    if (!is_operation(second, Opcode::kDivide)) continue;
    const DemandNode& constant = graph.nodes[second.operands[1]];
    if (constant.kind != DemandNode::Kind::kConstant) continue;
    const auto divisor = static_cast<float>(constant.literal.real_at(0));
    // Down the product's multiplications to a division. What stands before that in the graph does not depend on it.
    std::vector<NodeId> factors;
    NodeId at = second.operands[0];
    while (is_operation(graph.nodes[at], Opcode::kMultiply) && factors.size() < kMostFactors) {
      const std::vector<NodeId>& operands = graph.nodes[at].operands;
      const auto leads_on = [&](NodeId operand) {
        return is_operation(graph.nodes[operand], Opcode::kMultiply) ||
               is_operation(graph.nodes[operand], Opcode::kDivide);
      };
      const size_t slot = leads_on(operands[0]) ? 0 : 1;
      factors.insert(factors.begin(), operands[1 - slot]);
      at = operands[slot];
    }
    const DemandNode& first = graph.nodes[at];
    if (factors.empty() || !is_operation(first, Opcode::kDivide) || pairs.count(at) > 0) continue;
    if (first.scope != second.scope || first.guard != second.guard) continue;
    const auto may_depend = [&](NodeId factor) {
      return factor >= at && graph.nodes[factor].kind != DemandNode::Kind::kConstant;
    };
    if (std::any_of(factors.begin(), factors.end(), may_depend)) continue;
    if (!divides_quickly(magnitude(graph, first.operands[1])) || !keep_from_tiny(graph, factors, divisor)) continue;
    if (!has_exact_divisor(divisor) || needs_no_check(graph, id)) continue;
    pairs[at] = {id, std::move(factors)};
  }
  return pairs;
}

}  // namespace sinter
