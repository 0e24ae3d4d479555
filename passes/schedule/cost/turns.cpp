#include "passes/schedule/cost/turns.h"

#include <algorithm>
#include <set>
#include <vector>

#include "ir/index/index_value.h"
#include "passes/analysis/values/hardware.h"

namespace sinter {

namespace {

constexpr int64_t kLine = 128;  // bytes

// The coordinates in which a warp's lanes differ, the fastest first, and how many values of each they may have.
std::vector<std::pair<size_t, int64_t>> lane_coordinates(const DemandGraph& graph, int64_t column_lanes) {
  std::vector<std::pair<size_t, int64_t>> result;
  if (column_lanes > 1) {
    for (size_t id = graph.coordinates.size(); id-- > 0;) {
      const DemandCoordinate& coordinate = graph.coordinates[id];
      if (graph.scopes[coordinate.scope].kind == DemandScope::Kind::kColumns)
        result.emplace_back(id, std::min(column_lanes, coordinate.extent));
    }
  }
  for (size_t id = graph.coordinates.size(); id-- > 0;) {
    const DemandCoordinate& coordinate = graph.coordinates[id];
    if (coordinate.scope == 0 && coordinate.role != CoordinateRole::kHostStep)
      result.emplace_back(id, coordinate.extent);
  }
  return result;
}

// Neighbours that a thread takes together.
int64_t vector_width(const DemandGraph& graph) {
  int64_t width = 1;
  for (const DemandCoordinate& coordinate : graph.coordinates) {
    if (graph.scopes[coordinate.scope].kind == DemandScope::Kind::kLanes) width *= coordinate.extent;
  }
  return width;
}

}  // namespace

double turns_of_cache(const IndexExpr& offset, DType dtype, const DemandGraph& graph, int64_t column_lanes) {
  if (offset.is_constant()) return 0;
  const int64_t bytes = dtype_bytes(dtype);
  const auto lanes = lane_coordinates(graph, column_lanes);
  std::set<int64_t> lines;
  std::vector<int64_t> coordinates(graph.coordinates.size(), 0);
  for (int64_t lane = 0; lane < kWarp; ++lane) {
    int64_t rest = lane;
    for (const auto& [id, extent] : lanes) {
      coordinates[id] = rest % extent;
      rest /= extent;
    }
    if (rest > 0) break;  // fewer threads than a warp
    const int64_t byte = index_value(offset, coordinates) * bytes;
    lines.insert(byte >= 0 ? byte / kLine : -1 - (-1 - byte) / kLine);
  }
  const double count = static_cast<double>(lines.size());
  const double side_by_side = std::max(1.0, static_cast<double>(kWarp * bytes * vector_width(graph)) / kLine);
  return count > 2 * side_by_side ? count : 0;
}

}  // namespace sinter
