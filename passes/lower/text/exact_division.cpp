// After Brisebarre, Muller and Raina, "Accelerating Correctly Rounded Floating-Point Division when the Divisor Is Known
// in Advance" (2004). x * high + x * low differs from x / c by so little that it can be rounded to another float only
// if x / c is next to the middle of two. With integers V and C for the significands of x and c, and an odd M for the
// middle, that is |V * 2^j - C * M| <= r for a small r: for each difference a few V are left, and those are tried.
#include "passes/lower/text/exact_division.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "passes/lower/text/float_magnitude.h"

namespace sinter {

namespace {

constexpr int kBits = 24;  // of a significand
constexpr int64_t kOne = int64_t{1} << (kBits - 1);
// The sum is off by less than 2^-45 of it (of `low` its rounding, 2^-47; of x * low the same): times C * M < 2^49.
constexpr int64_t kDifference = 64;

// As in templates/device/divisor.cuh.
struct Parts {
  float high, low;
};
Parts parts_of(float divisor) {
  const double inverse = 1.0 / static_cast<double>(divisor);
  const auto high = static_cast<float>(inverse * (1.0 - 0x1p-24));
  return {high, static_cast<float>(inverse - static_cast<double>(high))};
}

bool divides(float x, float divisor, const Parts& parts) {
  const float small = x * parts.low;
  return std::fma(x, parts.high, small) == x / divisor;
}

// The number whose product with `odd` is 1 modulo 2^32 (Newton's iteration; 5 bits are right at first).
uint32_t inverse_of(uint32_t odd) {
  uint32_t inverse = (odd * 3) ^ 2;
  for (int round = 0; round < 3; ++round) inverse *= 2 - odd * inverse;
  return inverse;
}

// Tries every x of significand V for which V * 2^j - C * M is `difference`, M an odd number of 25 bits.
bool divides_near_middles(float divisor, int64_t c, int j, int64_t difference) {
  const Parts parts = parts_of(divisor);
  int zeros = 0;
  while (((c >> zeros) & 1) == 0) ++zeros;
  if (difference % (int64_t{1} << zeros) != 0) return true;
  const int bits = j - zeros;
  const uint64_t modulus = uint64_t{1} << bits;
  const uint32_t odd = static_cast<uint32_t>(c >> zeros);
  const auto wanted = static_cast<uint32_t>(-(difference >> zeros));
  const uint64_t first = static_cast<uint64_t>(wanted * inverse_of(odd)) & (modulus - 1);
  for (uint64_t middle = first; middle < 4 * kOne; middle += modulus) {
    if (middle < 2 * kOne || middle % 2 == 0) continue;
    const int64_t v = (c * static_cast<int64_t>(middle) + difference) >> j;
    if (v < kOne || v >= 2 * kOne || (j == kBits) != (v >= c)) continue;
    if (!divides(static_cast<float>(v), divisor, parts)) return false;
  }
  return true;
}

using Kind = DemandNode::Kind;

// A sum that is the other addend, whatever bit of a tiny one is wrong.
bool absorbs(const DemandGraph& graph, const DemandNode& sum, NodeId tiny) {
  if (sum.kind != Kind::kCompute || sum.dtype != DType::kF32) return false;
  const Opcode opcode = sum.instruction->opcode;
  if ((opcode != Opcode::kAdd && opcode != Opcode::kSubtract) || sum.operands[0] == sum.operands[1]) return false;
  const Magnitude other = magnitude(graph, sum.operands[sum.operands[0] == tiny ? 1 : 0]);
  return !other.zero && other.least >= 0x1p-60;
}

// Whether anything but a node's operands is the value: what is stored, carried or combined.
bool is_given(const DemandGraph& graph, NodeId id) {
  const auto in = [&](const std::vector<NodeId>& list) {
    return std::find(list.begin(), list.end(), id) != list.end();
  };
  const auto stored = [&](const DemandStore& store) { return store.node == id; };
  if (in(graph.results) || std::any_of(graph.stores.begin(), graph.stores.end(), stored)) return true;
  for (const ColumnPhase& phase : graph.phases) {
    for (const auto& [slot, kept] : phase.keeps) {
      if (kept == id) return true;
    }
  }
  for (const DemandReduce& reduce : graph.reduces) {
    if (in(reduce.init) || in(reduce.values) || in(reduce.combined) || in(reduce.match)) return true;
    if (std::any_of(reduce.terms.begin(), reduce.terms.end(), in)) return true;
  }
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Slot& slot : loop.slots) {
      if (slot.init == id || slot.next == id) return true;
    }
    for (const DemandLoop::Stack& stack : loop.stacks) {
      for (const auto& [offset, value] : stack.stores) {
        if (value == id) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool needs_no_check(const DemandGraph& graph, NodeId division) {
  const DemandNode& quotient = graph.nodes[division];
  const double tiny = std::fabs(graph.nodes[quotient.operands[1]].literal.real_at(0)) * 0x1p-100;
  if (magnitude(graph, quotient.operands[0]).least >= tiny) return true;
  if (is_given(graph, division)) return false;
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const DemandNode& node) {
    const bool reads = std::find(node.operands.begin(), node.operands.end(), division) != node.operands.end();
    return !reads || absorbs(graph, node, division);
  });
}

bool has_exact_divisor(float divisor) {
  int exponent = 0;
  const float fraction = std::frexp(std::fabs(divisor), &exponent);
  if (divisor == 0 || !std::isfinite(divisor) || fraction == 0.5F || std::abs(exponent) > 20) return false;
  const auto c = static_cast<int64_t>(std::ldexp(fraction, kBits));
  for (int64_t difference = -kDifference; difference <= kDifference; ++difference) {
    if (difference == 0) continue;  // the middle of two floats is no quotient: it has one bit more than both
    // Quotients of 1 to 2, whose middles are multiples of 2^-24; and of less.
    if (!divides_near_middles(divisor, c, kBits, difference) ||
        !divides_near_middles(divisor, c, kBits + 1, difference))
      return false;
  }
  return true;
}

}  // namespace sinter
