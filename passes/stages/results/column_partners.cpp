#include "passes/stages/results/column_partners.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sinter {
namespace {

using Kind = DemandNode::Kind;

constexpr int64_t kMostDistance = 64;  // of partners that a tile has room for
// Columns of a head, among which one that has a partner is looked for, and after which all is as before.
constexpr int64_t kMostSearched = 256;

// At every column that is `place` in a group of `size`: coordinates that no graph has count the groups.
IndexExpr in_group(const DemandGraph& graph, const IndexExpr& expr, int column, int64_t size, int64_t place) {
  const int64_t groups = graph.coordinates[static_cast<size_t>(column)].extent / size;
  const int group = static_cast<int>(graph.coordinates.size());
  const IndexExpr at = IndexExpr::coordinate(group, {0, std::max<int64_t>(groups - 1, 0)}) * size + place;
  return expr.substitute([&](const IndexExpr::Atom& atom) {
    const bool is_column = atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == column;
    return is_column ? std::optional(at) : std::nullopt;
  });
}

// At how many of some columns what stands behind a guard is computed: kSome where that depends on the row, too.
enum class Runs : uint8_t { kNone, kSome, kAll };

// At the columns that are `place` in their groups.
Runs runs(const DemandGraph& graph, int guard, int column, int64_t size, int64_t place) {
  Runs result = Runs::kAll;
  for (; guard > 0; guard = graph.scopes[static_cast<size_t>(guard)].parent) {
    bool is_choice = false;
    Runs here = Runs::kNone;
    for (const DemandNode& node : graph.nodes) {
      if (node.kind != Kind::kChoose || (node.arm_scope[0] != guard && node.arm_scope[1] != guard)) continue;
      is_choice = true;
      const IndexExpr chosen = in_group(graph, node.expr, column, size, place);
      const bool is_first = node.low <= chosen.constant() && chosen.constant() < node.high;
      if (!chosen.is_constant()) {
        here = std::max(here, Runs::kSome);
      } else if (node.arm_scope[is_first ? 0 : 1] == guard) {
        here = Runs::kAll;
      }
    }
    result = std::min(result, is_choice ? here : Runs::kSome);
    if (result == Runs::kNone) break;
  }
  return result;
}

class Partners {
 public:
  // Of what the graph loads of a product, whose element of the thread's own column is at `own`.
  Partners(const DemandGraph& graph, const IndexExpr& own, int column) : graph_(graph), own_(own), column_(column) {}

  // How far apart partners are, by what these nodes read; 0 where they read anything else.
  int64_t distance(const std::vector<NodeId>& loads) const;
  // Of nodes that read partners so far apart, or their own: whether it is the partner that this one reads.
  bool is_partner(NodeId load, int64_t distance) const { return !reads(load, distance).own; }

 private:
  struct Reads {
    bool own = true, partner = true;
  };
  // By columns of a group of `size`, of which all groups are alike.
  Reads reads_in_groups(NodeId load, int64_t distance, int64_t size) const;
  Reads reads(NodeId load, int64_t distance) const;

  const DemandGraph& graph_;
  const IndexExpr& own_;
  const int column_;
};

// Of groups of whole pairs, after which what stands behind guards may be the same again.
std::vector<int64_t> possible_periods(int64_t columns, int64_t distance) {
  std::vector<int64_t> periods;
  for (int64_t size = 2 * distance; size <= std::min(columns, kMostSearched); size += 2 * distance) {
    if (columns % size == 0) periods.push_back(size);
  }
  return periods;
}

// Whether what stands behind the guard is computed at all first columns of pairs and no others (0), or at all second
// ones (1); nullopt: neither.
std::optional<int> half_behind(const DemandGraph& graph, int guard, int column, int64_t distance) {
  const int64_t columns = graph.coordinates[static_cast<size_t>(column)].extent;
  for (const int64_t size : possible_periods(columns, distance)) {
    bool is_half[2] = {true, true};
    for (int64_t place = 0; place < size && (is_half[0] || is_half[1]); ++place) {
      const Runs at = runs(graph, guard, column, size, place);
      const bool is_second = (place & distance) != 0;
      is_half[0] &= at == (is_second ? Runs::kNone : Runs::kAll);
      is_half[1] &= at == (is_second ? Runs::kAll : Runs::kNone);
    }
    if (is_half[0] || is_half[1]) return is_half[0] ? 0 : 1;
  }
  return std::nullopt;
}

}  // namespace

Partners::Reads Partners::reads(NodeId load, int64_t distance) const {
  Reads result = {.own = false, .partner = false};
  for (const int64_t size : possible_periods(graph_.coordinates[static_cast<size_t>(column_)].extent, distance)) {
    result = reads_in_groups(load, distance, size);
    if (result.own || result.partner) break;
  }
  return result;
}

Partners::Reads Partners::reads_in_groups(NodeId load, int64_t distance, int64_t size) const {
  const DemandNode& node = graph_.nodes[static_cast<size_t>(load)];
  Reads result;
  for (int64_t place = 0; place < size && (result.own || result.partner); ++place) {
    if (runs(graph_, node.guard, column_, size, place) == Runs::kNone) continue;
    const IndexExpr apart =
        in_group(graph_, node.expr, column_, size, place) - in_group(graph_, own_, column_, size, place);
    result.own &= apart.is_constant() && apart.constant() == 0;
    result.partner &= apart.is_constant() && apart.constant() == (place ^ distance) - place;
  }
  return result;
}

int64_t Partners::distance(const std::vector<NodeId>& loads) const {
  const int64_t columns = graph_.coordinates[static_cast<size_t>(column_)].extent;
  // What the first column that reads another one reads is its partner.
  int64_t distance = 0;
  for (int64_t place = 0; place < std::min(columns, kMostSearched) && distance == 0; ++place) {
    for (const NodeId load : loads) {
      const DemandNode& node = graph_.nodes[static_cast<size_t>(load)];
      if (runs(graph_, node.guard, column_, columns, place) == Runs::kNone) continue;
      const IndexExpr apart =
          in_group(graph_, node.expr, column_, columns, place) - in_group(graph_, own_, column_, columns, place);
      if (!apart.is_constant()) return 0;
      if (apart.constant() != 0) distance = apart.constant();
    }
  }
  if (distance <= 0 || distance > kMostDistance || !std::has_single_bit(static_cast<uint64_t>(distance))) return 0;
  if (columns % (2 * distance) != 0) return 0;
  const bool all = std::ranges::all_of(loads, [&](NodeId load) {
    const Reads read = reads(load, distance);
    return read.own || read.partner;
  });
  return all ? distance : 0;
}

std::optional<ColumnPartners> column_partners(const DemandGraph& graph, const IndexExpr& own, int column,
                                              const std::vector<NodeId>& loads) {
  const Partners partners(graph, own, column);
  ColumnPartners result = {.distance = partners.distance(loads)};
  if (result.distance == 0) return std::nullopt;
  for (const NodeId load : loads) {
    if (partners.is_partner(load, result.distance)) result.loads.push_back(load);
  }
  return result;
}

void load_for_partners(DemandGraph* graph, int column, int64_t distance) {
  const int64_t size = 2 * distance;
  const IndexExpr own = graph->coordinate(column);
  const IndexExpr of_both = own.floor_div(size) * size + own.floor_mod(distance);
  for (DemandNode& node : graph->nodes) {
    if (node.kind != Kind::kLoad || node.guard == 0 || graph->scopes[static_cast<size_t>(node.guard)].parent != 0)
      continue;
    bool is_known = true;  // where it reads: not by what is computed behind the guard
    node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      is_known &= atom.kind != IndexExpr::AtomKind::kValue || graph->nodes[static_cast<size_t>(atom.id)].guard == 0;
    });
    const std::optional<int> half = is_known ? half_behind(*graph, node.guard, column, distance) : std::nullopt;
    if (!half) continue;
    const IndexExpr at = of_both + *half * distance;
    const IndexExpr place = node.expr.substitute([&](const IndexExpr::Atom& atom) {
      const bool is_column = atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == column;
      return is_column ? std::optional(at) : std::nullopt;
    });
    node.expr = place;
    node.guard = 0;
  }
  graph->set_scopes();
}

}  // namespace sinter
