#include "passes/schedule/cost/turns.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "ir/index/index_value.h"
#include "passes/analysis/values/hardware.h"

namespace sinter {

namespace {

constexpr int64_t kLine = 128;  // bytes

}  // namespace

TurnCounter::TurnCounter(const DemandGraph& graph, int64_t column_lanes) : coordinates_(graph.coordinates.size()) {
  if (column_lanes == 0) return;
  const auto add = [&](bool of_columns) {
    for (int id = static_cast<int>(coordinates_); id-- > 0;) {
      const DemandCoordinate& coordinate = graph.coordinates[id];
      if (of_columns && graph.scopes[coordinate.scope].kind == DemandScope::Kind::kColumns)
        lanes_.emplace_back(id, std::min(column_lanes, coordinate.extent));
      if (!of_columns && coordinate.scope == 0 && coordinate.role != CoordinateRole::kHostStep)
        lanes_.emplace_back(id, coordinate.extent);
    }
  };
  if (column_lanes > 1) add(true);
  add(false);
  for (const DemandCoordinate& coordinate : graph.coordinates) {
    if (graph.scopes[coordinate.scope].kind == DemandScope::Kind::kLanes) width_ *= coordinate.extent;
  }
}

// False of what is certainly one element, or neighbours: most are.
bool TurnCounter::may_be_apart(const IndexExpr& offset) const {
  const auto differs = [&](const IndexExpr::Atom& atom) {
    return atom.kind == IndexExpr::AtomKind::kCoordinate &&
           std::ranges::any_of(lanes_, [&](const auto& lane) { return lane.first == atom.id; });
  };
  const bool by_one = !lanes_.empty() && lanes_[0].second >= kWarp;  // lanes differ in their fastest coordinate alone
  for (const IndexExpr::Term& term : offset.terms()) {
    if (by_one && term.atom->kind == IndexExpr::AtomKind::kCoordinate) {
      if (term.atom->id == lanes_[0].first && std::abs(term.coefficient) > 1) return true;
      continue;
    }
    bool found = differs(*term.atom);
    term.atom->operand.visit_leaves([&](const IndexExpr::Atom& leaf) { found |= differs(leaf); });
    if (found) return true;
  }
  return false;
}

double TurnCounter::of(const IndexExpr& offset, DType dtype) const {
  if (!may_be_apart(offset)) return 0;
  const double count = lines_of(offset, dtype, 1);
  const double side_by_side = std::max(1.0, static_cast<double>(kWarp * dtype_bytes(dtype) * width_) / kLine);
  return count > 2 * side_by_side ? count : 0;
}

double TurnCounter::together(const IndexExpr& offset, DType dtype, int64_t width) const {
  return std::max(1.0, lines_of(offset, dtype, width));
}

// Lines that a warp's lanes find their elements in, each the first of `width` that it has.
double TurnCounter::lines_of(const IndexExpr& offset, DType dtype, int64_t width) const {
  const int64_t bytes = dtype_bytes(dtype);
  std::set<int64_t> lines;
  std::vector<int64_t> coordinates(coordinates_, 0);
  for (int64_t lane = 0; lane < kWarp; ++lane) {
    int64_t rest = lane * width;
    for (const auto& [id, extent] : lanes_) {
      coordinates[id] = rest % extent;
      rest /= extent;
    }
    if (rest > 0) break;  // fewer threads than a warp
    const int64_t byte = index_value(offset, coordinates) * bytes;
    lines.insert(byte >= 0 ? byte / kLine : -1 - (-1 - byte) / kLine);
  }
  return static_cast<double>(lines.size());
}

}  // namespace sinter
