// One index of a load by one coordinate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>

#include "passes/demand/demand.h"

namespace sinter {

// Indices may be chosen so near to a border, where each place is looked at.
inline constexpr int64_t kNearBorder = 4;

// The operand that a kChoose takes where what it tests is `tested`.
inline NodeId chosen(const DemandNode& choose, int64_t tested) {
  return choose.operands[tested >= choose.low && tested < choose.high ? 0 : 1];
}

// One index of a load by one coordinate, seen through choices of indices: `row == 0 ? 223 : row - 1`.
class AxisIndex {
 public:
  AxisIndex(const DemandGraph& graph, int coordinate, int64_t extent)
      : graph_(graph), coordinate_(coordinate), extent_(extent) {}

  // The value of an index where the coordinate is `place`, and all others, on which it does not depend, are 0.
  // nullopt: data say what it is.
  std::optional<int64_t> at(const IndexExpr& expr, int64_t place) const {
    bool known = true;
    const IndexExpr value = expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      if (atom.kind == IndexExpr::AtomKind::kCoordinate) return IndexExpr(atom.id == coordinate_ ? place : 0);
      const std::optional<int64_t> of_node = at(atom.id, place);
      known &= of_node.has_value();
      return IndexExpr(of_node.value_or(0));
    });
    if (!known || !value.is_constant()) return std::nullopt;
    return value.constant();
  }

  // Whether it grows with the coordinate, place by place, but for places near the border.
  bool is_regular(const IndexExpr& expr) const {
    return std::ranges::all_of(expr.terms(), [&](const IndexExpr::Term& term) { return is_regular(*term.atom); });
  }

 private:
  std::optional<int64_t> at(NodeId id, int64_t place) const {
    const DemandNode& node = graph_.nodes[id];
    switch (node.kind) {
      case DemandNode::Kind::kConstant:
        if (!is_integer(node.dtype)) return std::nullopt;
        return node.literal.integer_at(0);
      case DemandNode::Kind::kIndex:
        return at(node.expr, place);
      case DemandNode::Kind::kClampIndex: {
        const std::optional<int64_t> index = at(node.operands[0], place);
        return index ? std::optional(std::clamp(*index, node.low, node.high)) : std::nullopt;
      }
      case DemandNode::Kind::kChoose: {
        const std::optional<int64_t> tested = at(node.expr, place);
        if (!tested) return std::nullopt;
        return at(chosen(node, *tested), place);
      }
      default:
        return std::nullopt;
    }
  }

  // A coordinate, and a constant.
  bool is_plain(const IndexExpr& expr) const {
    return expr.is_constant() || (expr.terms().size() == 1 && std::abs(expr.terms()[0].coefficient) == 1 &&
                                  expr.terms()[0].atom->kind == IndexExpr::AtomKind::kCoordinate);
  }
  // The coordinate at which such an index is `value`, near a border.
  bool is_near_border(const IndexExpr& expr, int64_t value) const {
    const std::optional<int64_t> first = at(expr, 0), last = at(expr, extent_ - 1);
    const int64_t distance = std::min(std::abs(value - *first), std::abs(value - *last));
    const bool beyond = value < std::min(*first, *last) || value > std::max(*first, *last);
    return beyond || distance <= kNearBorder;
  }
  bool is_regular(const IndexExpr::Atom& atom) const {
    switch (atom.kind) {
      case IndexExpr::AtomKind::kCoordinate:
        return true;
      case IndexExpr::AtomKind::kMod:
        return atom.divisor == extent_ && is_plain(atom.operand) &&
               (atom.operand.is_constant() || is_near_border(atom.operand, 0) || is_near_border(atom.operand, extent_));
      case IndexExpr::AtomKind::kValue:
        return is_regular(atom.id);
      default:
        return false;
    }
  }
  bool is_regular(NodeId id) const {
    const DemandNode& node = graph_.nodes[id];
    const auto operands = [&] {
      return std::ranges::all_of(node.operands, [&](NodeId operand) { return is_regular(operand); });
    };
    switch (node.kind) {
      case DemandNode::Kind::kConstant:
        return true;
      case DemandNode::Kind::kIndex:
        return is_plain(node.expr);
      case DemandNode::Kind::kClampIndex: {
        const DemandNode& index = graph_.nodes[node.operands[0]];
        return index.kind == DemandNode::Kind::kIndex && is_plain(index.expr) && is_near_border(index.expr, node.low) &&
               is_near_border(index.expr, node.high);
      }
      case DemandNode::Kind::kChoose:
        return is_plain(node.expr) && is_near_border(node.expr, node.low) && is_near_border(node.expr, node.high) &&
               operands();
      default:
        return false;
    }
  }

  const DemandGraph& graph_;
  int coordinate_;
  int64_t extent_;
};

// The coordinates that an index depends on, through what it is computed from; kOfData: on elements of arrays.
inline constexpr int kOfData = -1;
std::set<int> leaves_of(const DemandGraph& graph, const IndexExpr& expr);

// A term of an index alone.
IndexExpr single(const IndexExpr::Term& term);

}  // namespace sinter
