#include "passes/stages/domain/shifted_load.h"

#include <algorithm>
#include <map>
#include <set>

#include "passes/demand/index_ranges.h"
#include "passes/demand/nodes_read.h"
#include "passes/demand/views/lane_places.h"

namespace sinter {
namespace {

using Kind = DemandNode::Kind;
using AtomKind = IndexExpr::AtomKind;

// Whether it, or what it is computed from, reads the coordinate; true where that is much.
bool is_made_of(const DemandGraph& graph, const IndexExpr& expr, int coordinate) {
  constexpr size_t kMost = 64;
  std::vector<NodeId> open;
  std::set<NodeId> seen;
  bool found = false;
  const auto offer = [&](const IndexExpr& each) {
    each.visit_leaves([&](const IndexExpr::Atom& leaf) {
      found |= leaf.kind == AtomKind::kCoordinate && leaf.id == coordinate;
      if (leaf.kind == AtomKind::kValue) open.push_back(leaf.id);
    });
  };
  offer(expr);
  while (!open.empty() && !found) {
    if (seen.size() > kMost) return true;
    const NodeId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    offer(graph.nodes[static_cast<size_t>(id)].expr);
    for (const NodeId part : nodes_read(graph, id)) open.push_back(part);
  }
  return found;
}

// Whether neighbours along the coordinate stand in one aligned vector: is_vector_offset, of a coordinate of the kernel.
bool is_vector_place(const DemandGraph& graph, const IndexExpr& place, int coordinate, int64_t width) {
  if (place.coefficient_of_coordinate(coordinate) != 1 || place.constant() % width != 0) return false;
  const IndexExpr rest = place - graph.coordinate(coordinate);
  const bool whole =
      std::ranges::all_of(rest.terms(), [&](const IndexExpr::Term& term) { return term.coefficient % width == 0; });
  return whole && !is_made_of(graph, rest, coordinate);
}

// By how much the expression is more than the coordinate; nullopt where it is something else.
std::optional<int64_t> beyond(const DemandGraph& graph, const IndexExpr& expr, int coordinate) {
  const IndexExpr rest = expr - graph.coordinate(coordinate);
  if (!rest.is_constant()) return std::nullopt;
  return rest.constant();
}

// An index that is chosen along the dimension, of pieces of one array (demand_index_maps.cpp), and where it is not at a
// border: the coordinate moved.
class ChosenIndex {
 public:
  ChosenIndex(const DemandGraph& graph, int coordinate) : graph_(graph), coordinate_(coordinate) {}

  std::optional<int64_t> shift(NodeId index, int64_t width) const {
    for (const int64_t candidate : candidates(index)) {
      if (candidate != 0 && std::abs(candidate) < width && is_moved_inside(index, candidate)) return candidate;
    }
    return std::nullopt;
  }

 private:
  int64_t extent() const { return graph_.coordinates[static_cast<size_t>(coordinate_)].extent; }

  std::vector<int64_t> candidates(NodeId id) const {
    const DemandNode& node = graph_.nodes[static_cast<size_t>(id)];
    std::vector<int64_t> all;
    if (node.kind == Kind::kIndex) {
      if (const std::optional<int64_t> shift = beyond(graph_, node.expr, coordinate_)) all.push_back(*shift);
    } else if (node.kind == Kind::kClampIndex || node.kind == Kind::kChoose) {
      for (const NodeId operand : node.operands) {
        const std::vector<int64_t> own = candidates(operand);
        all.insert(all.end(), own.begin(), own.end());
      }
    }
    return all;
  }

  // Whether the index is coordinate + shift wherever that is a place along the coordinate.
  bool is_moved_inside(NodeId id, int64_t shift) const {
    const DemandNode& node = graph_.nodes[static_cast<size_t>(id)];
    const int64_t first = std::max<int64_t>(0, -shift), last = extent() - 1 - std::max<int64_t>(0, shift);
    if (node.kind == Kind::kIndex) return beyond(graph_, node.expr, coordinate_) == shift;
    if (node.kind == Kind::kClampIndex) {
      return node.low <= first + shift && node.high >= last + shift && is_moved_inside(node.operands[0], shift);
    }
    if (node.kind != Kind::kChoose) return false;
    const std::optional<int64_t> tested = beyond(graph_, node.expr, coordinate_);
    if (!tested) return false;
    const bool passes = first + *tested >= node.low && last + *tested < node.high;
    const bool fails = last + *tested < node.low || first + *tested >= node.high;
    return (passes || fails) && is_moved_inside(node.operands[passes ? 0 : 1], shift);
  }

  const DemandGraph& graph_;
  int coordinate_;
};

// The shift, and the load's offset without it.
std::optional<ShiftedLoad> shift_of(const DemandGraph& graph, const IndexExpr& offset, int coordinate, int64_t width) {
  const IndexExpr moved = graph.coordinate(coordinate);
  ShiftedLoad result;
  if (offset.coefficient_of_coordinate(coordinate) == 1) {
    // The nearest vector.
    result.shift = ((offset.constant() % width) + width) % width;
    if (result.shift > width / 2) result.shift -= width;
    result.place = offset - result.shift;
    return result;
  }
  const IndexExpr::Term* own = nullptr;
  for (const IndexExpr::Term& term : offset.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    const bool chosen =
        atom.kind == AtomKind::kValue && ChosenIndex(graph, coordinate).shift(atom.id, width).has_value();
    if (!chosen && !atom.operand.reads_coordinate(coordinate)) continue;
    if (own != nullptr || term.coefficient != 1) return std::nullopt;
    own = &term;
  }
  if (own == nullptr) return std::nullopt;
  const IndexExpr::Atom& atom = *own->atom;
  const int64_t extent = graph.coordinates[static_cast<size_t>(coordinate)].extent;
  IndexExpr index;  // as the offset has it
  if (atom.kind == AtomKind::kValue) {
    result.shift = *ChosenIndex(graph, coordinate).shift(atom.id, width);
    index = IndexExpr::value(atom.id, atom.range);
  } else if (atom.kind == AtomKind::kMod && atom.divisor == extent) {
    const std::optional<int64_t> around = beyond(graph, atom.operand, coordinate);
    if (!around) return std::nullopt;
    result.shift = ((*around % extent) + extent) % extent;
    if (result.shift > extent / 2) result.shift -= extent;
    index = atom.operand.floor_mod(extent);
  } else {
    return std::nullopt;
  }
  result.place = offset - index + moved;
  return result;
}

// Fills in the tests that the vector stands behind. False: lanes have tests of their own around the load.
bool find_arms(const DemandGraph& graph, const std::map<int, ArmOf>& arms, const DemandNode& load, int coordinate,
               int64_t width, ShiftedLoad* result) {
  // A lane that reads an element of the vector, and of which every test that lanes do not share is known: its element
  // is in the array where the shared tests are passed, and so are the others, since rows are whole vectors.
  const int64_t lane = std::max<int64_t>(0, -result->shift);
  const int64_t last = graph.coordinates[static_cast<size_t>(coordinate)].extent - width + lane;
  for (int scope = load.scope; scope != 0; scope = graph.scopes[static_cast<size_t>(scope)].parent) {
    const auto arm = arms.find(scope);
    if (arm == arms.end()) return false;
    const DemandNode& choice = graph.nodes[static_cast<size_t>(arm->second.choice)];
    if (is_same_for_lanes(graph, choice, coordinate, width)) {
      result->arms.insert(result->arms.begin(), arm->second);
      continue;
    }
    const int64_t times = choice.expr.coefficient_of_coordinate(coordinate);
    const IndexExpr rest = choice.expr - graph.coordinate(coordinate) * times;
    if (rest.reads_coordinate(coordinate) || times != 1) return false;
    const IndexRange range = {rest.range().low + lane, rest.range().high + last};
    const IndexRange passed = {choice.low, choice.high - 1};
    const bool known = arm->second.passes ? inside(range, passed) : range.high < passed.low || range.low > passed.high;
    if (!known) return false;
  }
  return true;
}

}  // namespace

std::optional<ShiftedLoad> shifted_load(const DemandGraph& graph, const std::map<int, ArmOf>& arms,
                                        const DemandNode& load, int coordinate, int64_t width) {
  if (load.kind != Kind::kLoad || width < 2) return std::nullopt;
  std::optional<ShiftedLoad> result = shift_of(graph, load.expr, coordinate, width);
  if (!result || result->shift == 0 || std::abs(result->shift) >= width) return std::nullopt;
  if (load.instruction->shape.element_count() % width != 0) return std::nullopt;
  if (!is_vector_place(graph, result->place, coordinate, width)) return std::nullopt;
  if (find_arms(graph, arms, load, coordinate, width, &*result)) return result;
  // Of two vectors that are equally near, tests may be known of the other alone. Where a coordinate wraps around or is
  // limited, what stands behind the last vector is in another row.
  if (2 * result->shift != width || load.expr.coefficient_of_coordinate(coordinate) != 1) return std::nullopt;
  ShiftedLoad other = {.shift = result->shift - width, .place = result->place + width};
  return find_arms(graph, arms, load, coordinate, width, &other) ? std::optional(std::move(other)) : std::nullopt;
}

std::vector<double> lane_shares(const DemandGraph& graph, int coordinate, int64_t width) {
  const std::map<int, ArmOf> arms = arms_by_scope(graph);
  std::vector<double> shares(graph.nodes.size(), 1), read(graph.nodes.size(), 0);
  for (size_t id = graph.nodes.size(); id-- > 0;) {
    const DemandNode& node = graph.nodes[id];
    const bool is_index = node.kind == Kind::kIndex || node.kind == Kind::kClampIndex || node.kind == Kind::kChoose;
    if (is_index && read[id] > 0) shares[id] = read[id];
    if (node.kind == Kind::kLoad || node.kind == Kind::kChoose)
      shares[id] = std::min(shares[id], own_indices(graph, node, coordinate, width));
    if (const std::optional<ShiftedLoad> shifted = shifted_load(graph, arms, node, coordinate, width))
      shares[id] = static_cast<double>(std::abs(shifted->shift)) / static_cast<double>(width);
    visit_reads(graph, static_cast<NodeId>(id), [&](NodeId one, ReadAs) {
      read[static_cast<size_t>(one)] = std::max(read[static_cast<size_t>(one)], shares[id]);
    });
  }
  return shares;
}

}  // namespace sinter
