#include "passes/demand/views/lane_places.h"

#include <algorithm>
#include <set>

namespace sinter {

namespace {

using AtomKind = IndexExpr::AtomKind;

IndexExpr with_place(const IndexExpr& expr, int coordinate, const IndexExpr& place) {
  return expr.substitute([&](const IndexExpr::Atom& atom) {
    const bool is_it = atom.kind == AtomKind::kCoordinate && atom.id == coordinate;
    return is_it ? std::optional(place) : std::nullopt;
  });
}

// Coordinates of no graph: the first of the lanes, and the lane.
struct Split {
  int first, lane;
  explicit Split(const DemandGraph& graph)
      : first(static_cast<int>(graph.coordinates.size())), lane(static_cast<int>(graph.coordinates.size()) + 1) {}
  IndexExpr of(const DemandGraph& graph, const IndexExpr& expr, int coordinate, int64_t width) const {
    const int64_t extent = graph.coordinates[static_cast<size_t>(coordinate)].extent;
    const IndexExpr sum = IndexExpr::coordinate(first, {0, std::max<int64_t>(extent - width, 0)}) +
                          IndexExpr::coordinate(lane, {0, width - 1});
    return apart_from_lane(with_place(expr, coordinate, sum), first, lane, width);
  }
};

IndexExpr of_atom(const IndexExpr::Atom& atom, const IndexExpr& operand) {
  switch (atom.kind) {
    case AtomKind::kCoordinate:
      return IndexExpr::coordinate(atom.id, atom.range);
    case AtomKind::kValue:
      return IndexExpr::value(atom.id, atom.range);
    case AtomKind::kFloorDiv:
      return operand.floor_div(atom.divisor);
    case AtomKind::kMod:
      return operand.floor_mod(atom.divisor);
  }
  return {};
}

bool is_division(const IndexExpr::Atom& atom) {
  return atom.kind == AtomKind::kFloorDiv || atom.kind == AtomKind::kMod;
}

// The terms that read the lane, and the others with the constant; nullopt where a term reads something else beside it.
struct Parts {
  IndexExpr of_lane, of_all;
};
std::optional<Parts> parts_of(const IndexExpr& expr, int lane) {
  Parts parts;
  for (const IndexExpr::Term& term : expr.terms()) {
    const IndexExpr value = of_atom(*term.atom, is_division(*term.atom) ? term.atom->operand : IndexExpr());
    bool reads_lane = false, reads_other = false;
    value.visit_leaves([&](const IndexExpr::Atom& leaf) {
      const bool is_lane = leaf.kind == AtomKind::kCoordinate && leaf.id == lane;
      (is_lane ? reads_lane : reads_other) = true;
    });
    if (reads_lane && reads_other) return std::nullopt;
    (reads_lane ? parts.of_lane : parts.of_all) =
        (reads_lane ? parts.of_lane : parts.of_all) + value * term.coefficient;
  }
  parts.of_all = parts.of_all + expr.constant();
  return parts;
}

int64_t at_lane(const IndexExpr& of_lane, int lane, int64_t number) {
  return with_place(of_lane, lane, IndexExpr(number)).constant();
}

}  // namespace

IndexExpr apart_from_lane(const IndexExpr& expr, int first, int lane, int64_t width) {
  if (!expr.reads_coordinate(lane) || !expr.reads_coordinate(first)) return expr;
  IndexExpr result = expr.constant();
  for (const IndexExpr::Term& term : expr.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    if (!is_division(atom)) {
      result = result + of_atom(atom, {}) * term.coefficient;
      continue;
    }
    const IndexExpr operand = apart_from_lane(atom.operand, first, lane, width);
    const int64_t times = operand.coefficient_of_coordinate(first);
    if (times == 0 || width % atom.divisor != 0 || !operand.reads_coordinate(lane)) {
      result = result + of_atom(atom, operand) * term.coefficient;
      continue;
    }
    const llvm::ArrayRef<IndexExpr::Term> terms = operand.terms();
    const auto own = std::ranges::find_if(terms, [&](const IndexExpr::Term& one) {
      return one.atom->kind == AtomKind::kCoordinate && one.atom->id == first;
    });
    const IndexExpr begin = IndexExpr::coordinate(first, own->atom->range), rest = operand - begin * times;
    result = result + of_atom(atom, rest) * term.coefficient;
    if (atom.kind == AtomKind::kMod) continue;
    const int64_t all = term.coefficient * times;
    result = result + (all % atom.divisor == 0 ? begin * (all / atom.divisor) : begin.floor_div(atom.divisor) * all);
  }
  return result;
}

std::optional<PickedLoad> picked_load(const DemandNode& load, int first, int lane, int64_t width) {
  if (load.kind != DemandNode::Kind::kLoad || !load.expr.reads_coordinate(lane)) return std::nullopt;
  const std::optional<Parts> parts = parts_of(load.expr, lane);
  if (!parts || load.instruction->shape.element_count() % width != 0) return std::nullopt;
  for (const IndexExpr::Term& term : parts->of_all.terms()) {
    const bool is_first = term.atom->kind == AtomKind::kCoordinate && term.atom->id == first;
    bool is_known = true;
    term.atom->operand.visit_leaves([&](const IndexExpr::Atom& leaf) { is_known &= leaf.kind != AtomKind::kValue; });
    if (!is_known || term.atom->kind == AtomKind::kValue || (!is_first && term.coefficient % width != 0))
      return std::nullopt;
  }
  const int64_t constant = parts->of_all.constant(), more = ((constant % width) + width) % width;
  PickedLoad picked = {parts->of_all - more + IndexExpr::coordinate(lane, {0, width - 1}), parts->of_lane + more};
  for (int64_t number = 0; number < width; ++number) {
    const int64_t element = at_lane(picked.pick, lane, number);
    if (element < 0 || element >= width) return std::nullopt;
  }
  return picked;
}

std::map<int, double> known_arms(const DemandGraph& graph, int coordinate, int64_t width) {
  std::map<int, double> shares;
  const Split split(graph);
  for (const DemandNode& node : graph.nodes) {
    if (node.kind != DemandNode::Kind::kChoose || !node.expr.reads_coordinate(coordinate)) continue;
    const IndexExpr expr = split.of(graph, node.expr, coordinate, width);
    const std::optional<Parts> parts = parts_of(expr, split.lane);
    if (!parts || !parts->of_all.is_constant()) continue;
    double passes = 0;
    for (int64_t number = 0; number < width; ++number) {
      const int64_t value = at_lane(expr, split.lane, number);
      passes += value >= node.low && value < node.high ? 1 : 0;
    }
    const double share = passes / static_cast<double>(width);
    for (const size_t arm : {size_t{0}, size_t{1}}) {
      if (node.arm_scope[arm] != 0) shares[node.arm_scope[arm]] = arm == 0 ? share : 1 - share;
    }
  }
  return shares;
}

double own_indices(const DemandGraph& graph, const DemandNode& node, int coordinate, int64_t width) {
  if (!node.expr.reads_coordinate(coordinate)) return 1;
  const Split split(graph);
  const IndexExpr expr = split.of(graph, node.expr, coordinate, width);
  const std::optional<Parts> parts = parts_of(expr, split.lane);
  // Neighbours' own elements count as they did.
  if (!parts || parts->of_lane == IndexExpr::coordinate(split.lane, {0, width - 1})) return 1;
  if (parts->of_all.is_constant()) return 0;
  std::set<int64_t> numbers;
  for (int64_t number = 0; number < width; ++number) numbers.insert(at_lane(parts->of_lane, split.lane, number));
  DemandNode load = node;
  load.expr = expr;
  if (picked_load(load, split.first, split.lane, width)) return 1 / static_cast<double>(width);
  return static_cast<double>(numbers.size()) / static_cast<double>(width);
}

}  // namespace sinter
