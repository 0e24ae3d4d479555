#include "passes/stages/attend/hidden_keys.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "passes/demand/index_ranges.h"
#include "passes/stages/attend/attention.h"

namespace sinter {

namespace {

class MaskReader {
 public:
  using Keys = SeenKeys;

  MaskReader(const DemandGraph& graph, int64_t keys)
      : graph_(graph), key_(IndexExpr::coordinate(kAttendKey, {0, keys - 1})) {}

  std::optional<MaskedScore> run() const {
    const NodeId root = graph_.results[0];
    const std::optional<Seen> seen = seen_at(root);
    if (!seen || !seen->keys.last) return std::nullopt;
    MaskedScore result = {.hidden = {seen->keys.first, *seen->keys.last, seen->score}, .seen_operand = {}};
    const std::optional<Masked> masked = masked_at(root);
    if (masked && masked->seen.keys.all) result.seen_operand = masked->taken ? 1 : 2;
    return result;
  }

  // The keys for which a predicate may be `value`.
  Keys keys_of(NodeId id, bool value) const {
    const DemandNode& test = graph_.nodes[id];
    if (test.kind != DemandNode::Kind::kCompute) return {};
    switch (test.instruction->opcode) {
      case Opcode::kNot:
        return keys_of(test.operands[0], !value);
      case Opcode::kAnd:
      case Opcode::kOr:  // both have to be `value`
        if ((test.instruction->opcode == Opcode::kAnd) != value) return {};
        return both(keys_of(test.operands[0], value), keys_of(test.operands[1], value));
      case Opcode::kCompare:
        return keys_of_compare(test, value);
      default:
        return {};
    }
  }

 private:
  // The keys whose score may be more than `score`; all that a constant has are not.
  struct Seen {
    Keys keys;
    double score = 0;
  };
  // A select that gives a constant but for these keys, for which its predicate is `taken`.
  struct Masked {
    Seen seen;
    bool taken = true;
  };

  const DemandNode* select_at(NodeId id) const {
    const DemandNode& node = graph_.nodes[id];
    return node.kind == DemandNode::Kind::kCompute && node.instruction->opcode == Opcode::kSelect ? &node : nullptr;
  }
  std::optional<double> constant_at(NodeId id) const {
    const DemandNode& node = graph_.nodes[id];
    if (node.kind != DemandNode::Kind::kConstant || std::isnan(node.literal.real_at(0))) return std::nullopt;
    return node.literal.real_at(0);
  }

  std::optional<Masked> masked_at(NodeId id) const {
    const DemandNode* select = select_at(id);
    if (select == nullptr) return std::nullopt;
    for (const bool taken : {true, false}) {
      const std::optional<double> constant = constant_at(select->operands[taken ? 2 : 1]);
      if (!constant) continue;
      const Keys keys = keys_of(select->operands[0], taken);
      if (keys.some()) return Masked{{keys, *constant}, taken};
    }
    return std::nullopt;
  }

  std::optional<Seen> seen_at(NodeId id) const {
    if (const std::optional<double> constant = constant_at(id)) return Seen{{}, *constant};
    if (const std::optional<Masked> masked = masked_at(id)) return masked->seen;
    const DemandNode* select = select_at(id);
    if (select == nullptr) return std::nullopt;
    const std::optional<Seen> a = seen_at(select->operands[1]), b = seen_at(select->operands[2]);
    if (!a || !b || (a->keys.some() && b->keys.some())) return std::nullopt;
    return Seen{a->keys.some() ? a->keys : b->keys, std::max(a->score, b->score)};
  }

  Keys keys_of_compare(const DemandNode& test, bool value) const {
    const std::optional<Difference> left = difference_at(test.operands[0]), right = difference_at(test.operands[1]);
    std::string direction = *test.instruction->attributes->direction;
    if (!left || !right) return {};
    if (!value) {
      const std::map<std::string, std::string> kOpposite = {{"GE", "LT"}, {"LT", "GE"}, {"GT", "LE"}, {"LE", "GT"}};
      const auto opposite = kOpposite.find(direction);
      if (opposite == kOpposite.end()) return {};
      direction = opposite->second;
    }
    const int one = direction == "GT" || direction == "LT" ? 1 : 0;
    // It is `value` where this is not negative.
    if (direction == "GE" || direction == "GT") return keys_where(*left, *right, one);
    return direction == "LE" || direction == "LT" ? keys_where(*right, *left, one) : Keys{};
  }
  // An integer of batch, row and key, or its magnitude.
  struct Difference {
    IndexExpr value;
    bool magnitude = false;
  };
  std::optional<Difference> difference_at(NodeId id) const {
    const DemandNode& node = graph_.nodes[id];
    const bool magnitude = node.kind == DemandNode::Kind::kCompute && node.instruction->opcode == Opcode::kAbs;
    const std::optional<IndexExpr> value = index_at(magnitude ? node.operands[0] : id);
    // That of the smallest integer is no magnitude.
    if (!value || (magnitude && value->range().low <= dtype_range(node.dtype).low)) return std::nullopt;
    return Difference{*value, magnitude};
  }
  // The keys where more - less - one >= 0.
  Keys keys_where(const Difference& more, const Difference& less, int one) const {
    if (more.magnitude) return {};
    const Keys keys = keys_where(more.value - less.value - one);
    return less.magnitude ? both(keys, keys_where(more.value + less.value - one)) : keys;
  }
  Keys keys_where(const IndexExpr& not_negative) const {
    const auto limited = [&](int64_t slope, const IndexExpr& limit) {
      if (depends_on(limit, kAttendKey) || !rises(limit)) return Keys();
      return slope == 1 ? Keys{limit, {}, true} : Keys{{}, limit, true};
    };
    const int64_t slope = not_negative.coefficient_of_coordinate(kAttendKey);
    if (slope == 1 || slope == -1) return limited(slope, key_ - not_negative * slope);
    // Keys that several have in turn: key / divisor + rest >= 0, or rest - key / divisor >= 0.
    for (const IndexExpr::Term& term : not_negative.terms()) {
      const bool divides = term.atom->kind == IndexExpr::AtomKind::kFloorDiv && term.atom->operand == key_;
      if (!divides || (term.coefficient != 1 && term.coefficient != -1)) continue;
      const int64_t divisor = term.atom->divisor;
      const IndexExpr rest = not_negative - key_.floor_div(divisor) * term.coefficient;
      return limited(term.coefficient, term.coefficient == 1 ? rest * -divisor : rest * divisor + (divisor - 1));
    }
    return {};
  }
  // Whether it does not fall with the row.
  static bool rises(const IndexExpr& limit) {
    return std::all_of(limit.terms().begin(), limit.terms().end(), [](const IndexExpr::Term& term) {
      const IndexExpr::Atom& atom = *term.atom;
      switch (atom.kind) {
        case IndexExpr::AtomKind::kCoordinate:
          return atom.id != kAttendRow || term.coefficient > 0;
        case IndexExpr::AtomKind::kFloorDiv:
          return !depends_on(atom.operand, kAttendRow) || (term.coefficient > 0 && rises(atom.operand));
        case IndexExpr::AtomKind::kMod:
          return !depends_on(atom.operand, kAttendRow);
        default:
          return false;
      }
    });
  }

  std::optional<IndexExpr> index_at(NodeId id) const {
    const DemandNode& node = graph_.nodes[id];
    // One that wraps, or is rounded, is no index.
    const bool exact = is_integer(node.dtype) && inside(node.expr.range(), dtype_range(node.dtype));
    if (node.kind == DemandNode::Kind::kIndex && exact) return node.expr;
    if (node.kind != DemandNode::Kind::kConstant || !is_integer(node.dtype)) return std::nullopt;
    constexpr int64_t kMost = int64_t{1} << 48;  // with indices added it is far from wrapping
    const int64_t number = node.literal.integer_at(0);
    const bool beyond = node.dtype == DType::kU64 && number < 0;
    return beyond || number > kMost || number < -kMost ? std::nullopt : std::optional(IndexExpr(number));
  }

  const DemandGraph& graph_;
  const IndexExpr key_;
};

}  // namespace

SeenKeys both(const SeenKeys& a, const SeenKeys& b) {
  const auto tighter = [](const std::optional<IndexExpr>& x, const std::optional<IndexExpr>& y) {
    return !y || (x && depends_on(*x, kAttendRow)) ? x : y;
  };
  const bool twice = (a.first && b.first) || (a.last && b.last);
  return {tighter(a.first, b.first), tighter(a.last, b.last), a.all && b.all && !twice};
}

SeenKeys seen_keys(const DemandGraph& graph, NodeId predicate, bool value, int64_t keys) {
  return MaskReader(graph, keys).keys_of(predicate, value);
}

std::optional<MaskedScore> masked_score(const DemandGraph& score, int64_t keys) {
  return MaskReader(score, keys).run();
}

}  // namespace sinter
