#include "passes/lower/text/float_magnitude.h"

#include <algorithm>
#include <cmath>

namespace sinter {

namespace {

using Kind = DemandNode::Kind;

constexpr int kDeepest = 8;

// Of sums: zero, or a multiple of the last bit of what was added. A contracted product near -x has 48 bits below the
// first of x.
constexpr double kLeastOfSum = 0x1p-50;
// The least cosine of a float is 2^-29.2.
constexpr double kLeastCosine = 0x1p-30;
// Below this a product of floats may be rounded to zero.
constexpr double kLeastProduct = 0x1p-100;
// Roundings, and the units in the last place that a function is off by.
constexpr double kSlack = 0x1p-20;

Magnitude from(double least, double most, bool zero) { return {least * (1 - kSlack), most * (1 + kSlack), zero}; }

Magnitude bound(const DemandGraph& graph, NodeId id, int depth);

Magnitude bound_sum(const Magnitude& a, const Magnitude& b) {
  const double most = a.most + b.most;
  for (const auto& [large, small] : {std::pair(a, b), std::pair(b, a)}) {
    if (!large.zero && large.least > 2 * small.most) return from(large.least - small.most, most, false);
  }
  return from(std::max(a.zero ? 0 : a.least, b.zero ? 0 : b.least) * kLeastOfSum, most, true);
}

Magnitude bound_product(const Magnitude& a, const Magnitude& b) {
  const double least = a.least * b.least, most = a.most * b.most;
  if (least < kLeastProduct) return from(0, std::isnan(most) ? INFINITY : most, true);
  return from(least, most, a.zero || b.zero);
}

Magnitude bound_quotient(const Magnitude& a, const Magnitude& b) {
  if (b.zero || b.least < kLeastProduct || !std::isfinite(b.most)) return {};
  const double least = a.least / b.most, most = a.most / b.least;
  if (least < kLeastProduct) return from(0, most, true);
  return from(least, most, a.zero);
}

Magnitude bound_computed(const DemandGraph& graph, const DemandNode& node, int depth) {
  const auto operand = [&](size_t i) { return bound(graph, node.operands[i], depth + 1); };
  const Opcode opcode = node.instruction->opcode;
  switch (opcode) {
    case Opcode::kNegate:
    case Opcode::kAbs:
      return operand(0);
    case Opcode::kSelect: {
      const Magnitude a = operand(1), b = operand(2);
      return {std::min(a.least, b.least), std::max(a.most, b.most), a.zero || b.zero};
    }
    case Opcode::kConvert: {
      const DType type = graph.nodes[node.operands[0]].dtype;
      if (type == DType::kPred) return {1, 1, true};
      return {is_integer(type) ? 1.0 : 0.0, INFINITY, true};
    }
    case Opcode::kAdd:
    case Opcode::kSubtract:
      return bound_sum(operand(0), operand(1));
    case Opcode::kMultiply:
      return bound_product(operand(0), operand(1));
    case Opcode::kDivide:
      return bound_quotient(operand(0), operand(1));
    case Opcode::kSine:
    case Opcode::kTanh:
    case Opcode::kLogistic:
      return from(0, 1, true);
    case Opcode::kCosine:
      return from(kLeastCosine, 1, false);
    default:
      return {};
  }
}

Magnitude bound(const DemandGraph& graph, NodeId id, int depth) {
  const DemandNode& node = graph.nodes[id];
  if (node.kind == Kind::kConstant && is_float(node.dtype)) {
    const double value = std::fabs(node.literal.real_at(0));
    return {value, value, value == 0};
  }
  if (node.kind != Kind::kCompute || depth == kDeepest || node.dtype != DType::kF32) return {};
  return bound_computed(graph, node, depth);
}

}  // namespace

Magnitude magnitude(const DemandGraph& graph, NodeId id) { return bound(graph, id, 0); }

}  // namespace sinter
