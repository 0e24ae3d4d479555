#include "passes/demand/views/tests_around.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "passes/demand/index_ranges.h"

namespace sinter {

namespace {

using AtomKind = IndexExpr::AtomKind;

// Beyond these, limits are no numbers of elements, and are not computed with.
constexpr IndexRange kSmall = {-(int64_t{1} << 40), int64_t{1} << 40};
// Ids of coordinates and values whose ranges are narrower than in the graph.
constexpr int kNarrowed = 1 << 24;

IndexRange both(IndexRange a, IndexRange b) { return {std::max(a.low, b.low), std::min(a.high, b.high)}; }

// What is known of expressions at a place of the text.
class Facts {
 public:
  // `expr` is in the range.
  void add(const IndexExpr& expr, IndexRange range) {
    std::vector<std::pair<IndexExpr, IndexRange>> open = {{expr, range}};
    while (!open.empty()) {
      const IndexExpr base = open.back().first - open.back().first.constant();
      const IndexRange of_base = both(shifted(open.back().second, -open.back().first.constant()), base.range());
      open.pop_back();
      if (!inside(of_base, kSmall) || of_base.low > of_base.high) continue;
      known_.emplace_back(base, of_base);
      if (base.terms().size() != 1 || base.terms()[0].coefficient != 1) continue;
      const IndexExpr::Atom& atom = *base.terms()[0].atom;
      if (atom.kind == AtomKind::kFloorDiv) {
        open.push_back({atom.operand, {of_base.low * atom.divisor, (of_base.high + 1) * atom.divisor - 1}});
      } else if (atom.kind != AtomKind::kMod) {
        const auto [place, is_new] = leaves_.try_emplace({atom.kind, atom.id}, of_base);
        if (!is_new) place->second = both(place->second, of_base);
      }
    }
  }

  IndexRange range(const IndexExpr& expr) const {
    const IndexExpr narrowed = expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      const auto found = leaves_.find({atom.kind, atom.id});
      if (found == leaves_.end() || found->second.low > found->second.high) return std::nullopt;
      if (found->second.low == found->second.high) return IndexExpr(found->second.low);
      return atom.kind == AtomKind::kCoordinate ? IndexExpr::coordinate(atom.id + kNarrowed, found->second)
                                                : IndexExpr::value(atom.id + kNarrowed, found->second);
    });
    IndexRange result = both(expr.range(), narrowed.range());
    const IndexExpr base = expr - expr.constant();
    for (const auto& [known, range] : known_) {
      if (known == base) result = both(result, shifted(range, expr.constant()));
    }
    return result;
  }

 private:
  static IndexRange shifted(IndexRange range, int64_t by) {
    if (!inside(range, kSmall) || by < kSmall.low || by > kSmall.high) return {INT64_MIN, INT64_MAX};
    return {range.low + by, range.high + by};
  }

  std::vector<std::pair<IndexExpr, IndexRange>> known_;
  std::map<std::pair<AtomKind, int>, IndexRange> leaves_;
};

}  // namespace

TestsAround::TestsAround(const DemandGraph& graph) : graph_(graph) {
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (node.kind != DemandNode::Kind::kChoose) continue;
    for (const size_t side : {0, 1}) {
      if (node.arm_scope[side] != 0) arms_.try_emplace(node.arm_scope[side], Arm{static_cast<NodeId>(id), side});
    }
  }
}

LeftTest TestsAround::left(const DemandNode& choice) const {
  LeftTest result = {.test = {choice.expr, choice.low, choice.high}, .known = {}};
  Facts facts;
  for (auto arm = arms_.find(choice.guard); arm != arms_.end();) {
    const DemandNode& around = graph_.nodes[arm->second.choice];
    const IndexRange all = around.expr.range();
    if (arm->second.side == 0) {
      facts.add(around.expr, both(all, {around.low, around.high - 1}));
    } else if (around.low <= all.low) {
      facts.add(around.expr, {around.high, all.high});
    } else if (around.high > all.high) {
      facts.add(around.expr, {all.low, around.low - 1});
    }
    arm = around.guard == arm->first ? arms_.end() : arms_.find(around.guard);
  }
  const IndexRange range = facts.range(choice.expr), all = choice.expr.range();
  if (range.low > range.high) return result;  // never reached
  const bool above = range.low >= choice.low, below = range.high < choice.high;
  if (above && below) result.known = true;
  if (outside_of(range, choice.low, choice.high)) result.known = false;
  if (above) result.test.low = std::min(result.test.low, all.low);
  if (below) result.test.high = std::max(result.test.high, all.high + 1);
  return result;
}

}  // namespace sinter
