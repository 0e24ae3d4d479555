// Tiles of a map that reads across its stores (MapTiles, vectorize.h).
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

namespace {

constexpr int64_t kSides[] = {64, 32};  // in the order in which they are chosen
constexpr size_t kMostTiles = 4;        // arrays of a block
constexpr int64_t kBankBytes = 4;
constexpr int64_t kSectorBytes = 32;
constexpr int64_t kLineBytes = 128;

// Whether the expression is a sum in which the coordinates stand by themselves, and nothing depends on data.
bool is_linear_in(const IndexExpr& expr, int row, int column) {
  return std::ranges::all_of(expr.terms(), [&](const IndexExpr::Term& term) {
    const IndexExpr::Atom& atom = *term.atom;
    if (atom.kind == IndexExpr::AtomKind::kValue) return false;
    bool linear = true;
    atom.operand.visit_leaves([&](const IndexExpr::Atom& leaf) {
      linear &= leaf.kind == IndexExpr::AtomKind::kCoordinate && leaf.id != row && leaf.id != column;
    });
    return linear;
  });
}

constexpr int64_t kMostInt = INT32_MAX / 2;  // so that sums of it and a place of a tile are an int

bool begins_at_zero(const IndexExpr& expr) { return expr.range().low >= 0; }
bool is_int(const IndexExpr& expr) { return begins_at_zero(expr) && expr.range().high < kMostInt; }

// Whether places in what is loaded and stored, and the elements' numbers, are ints.
bool has_ints(const MapDemand& demand) {
  const DemandGraph& graph = *demand.graph;
  return demand.threads < kMostInt &&
         std::ranges::all_of(
             graph.stores, [](const DemandStore& store) { return is_int(store.offset); }) &&
         std::ranges::all_of(
             graph.nodes,
             [](const DemandNode& node) { return node.kind != DemandNode::Kind::kLoad || is_int(node.expr); });
}

// Whether each thread has an element, whose loads and stores are all that there is, and stores neighbours.
bool is_plain_map(const MapDemand& demand) {
  const DemandGraph& graph = *demand.graph;
  if (demand.block != 0 || !demand.layers.empty() || graph.scopes.size() != 1 || !graph.loops.empty()) return false;
  if (demand.coordinates.size() < 2) return false;
  const int last = demand.coordinates.back();
  const bool stores = std::ranges::all_of(graph.stores, [&](const DemandStore& store) {
    return store.owners.empty() && store.offset.coefficient_of_coordinate(last) == 1 && begins_at_zero(store.offset) &&
           store.value->opcode != Opcode::kDynamicUpdateSlice;
  });
  const bool loads = std::ranges::all_of(graph.nodes, [](const DemandNode& node) {
    return node.kind != DemandNode::Kind::kLoad || begins_at_zero(node.expr);
  });
  return stores && loads && !graph.stores.empty();
}

// A tile's extent along a side of `extent` elements, where the other has `other`.
int64_t side_of(int64_t extent, int64_t other, int64_t side) {
  if (other >= side) return std::min(extent, side);
  return std::min(extent, side * side / other / kWarp * kWarp);
}

// How far apart a warp's lanes, each with `width` neighbours of what is stored, find what they load: lines of memory.
int64_t lines_apart(const DemandNode& load, int column, int64_t width) {
  const int64_t apart = std::abs(load.expr.coefficient_of_coordinate(column)) * width * dtype_bytes(load.dtype);
  return std::min(kWarp, ceil_div(kWarp * apart, kLineBytes));
}

}  // namespace

int64_t tile_pitch(int64_t rows, DType dtype) {
  // An odd number of banks.
  const int64_t unit = std::max<int64_t>(1, kBankBytes / dtype_bytes(dtype));
  return (ceil_div(rows, unit) | 1) * unit;
}

std::optional<MapTiles> map_tiles(const MapDemand& demand, int64_t side) {
  if (std::ranges::find(kSides, side) == std::end(kSides) || !is_plain_map(demand)) return std::nullopt;
  const DemandGraph& graph = *demand.graph;
  MapTiles result;
  result.wide = !has_ints(demand);
  result.coordinates = collapsed(graph, demand.coordinates);
  const bool have_ints =
      std::ranges::all_of(result.coordinates, [](const auto& coordinate) { return coordinate.extent < kMostInt; });
  if (!have_ints) return std::nullopt;
  const int column = result.of_columns().fastest;
  const auto is_across = [&](const DemandNode& node, int row) {
    return node.kind == DemandNode::Kind::kLoad && std::abs(node.expr.coefficient_of_coordinate(column)) > 1 &&
           node.expr.coefficient_of_coordinate(row) == 1 && is_linear_in(node.expr, row, column);
  };
  // The rows that most loads are neighbours along.
  for (size_t c = 0; c + 1 < result.coordinates.size(); ++c) {
    if (result.coordinates[c].extent < 2) continue;
    std::vector<NodeId> loads;
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      if (is_across(graph.nodes[id], result.coordinates[c].fastest)) loads.push_back(static_cast<NodeId>(id));
    }
    if (loads.size() <= result.loads.size()) continue;
    result.loads = std::move(loads);
    result.row = c;
  }
  if (result.loads.empty() || result.loads.size() > kMostTiles) return std::nullopt;
  const int64_t rows = result.of_rows().extent, columns = result.of_columns().extent;
  result.rows = side_of(rows, columns, side);
  result.columns = side_of(columns, rows, side);
  result.row_tiles = ceil_div(rows, result.rows);
  result.column_tiles = ceil_div(columns, result.columns);
  result.tiles = demand.threads / (rows * columns) * result.row_tiles * result.column_tiles;
  if (result.tiles >= kMostInt) return std::nullopt;
  int64_t widest = 1;
  for (const NodeId load : result.loads) {
    const DType dtype = graph.nodes[load].dtype;
    const int64_t bytes = dtype_bytes(dtype);
    widest = std::max(widest, bytes);
    result.shared_bytes = ceil_div(result.shared_bytes, bytes) * bytes;
    result.shared_bytes += result.columns * tile_pitch(result.rows, dtype) * bytes;
  }
  result.shared_bytes = ceil_div(result.shared_bytes, widest) * widest;
  if (result.shared_bytes > kSharedBytesUnasked) return std::nullopt;
  return result;
}

int64_t choose_map_tile(const MapDemand& demand, int64_t width) {
  // Fewer elements than this, in the caches, gain little, and leave multiprocessors without a tile.
  constexpr int64_t kMinElements = 1 << 18;
  // A line of memory for so many lanes or fewer is found as fast as a tile is made.
  constexpr int64_t kMostLines = 4;
  if (demand.threads < kMinElements || choose_otherwise) return 0;
  for (const int64_t side : kSides) {
    const std::optional<MapTiles> tiles = map_tiles(demand, side);
    if (!tiles || tiles->tiles < kMultiprocessors) continue;
    const DemandGraph& graph = *demand.graph;
    const int column = tiles->of_columns().fastest;
    const bool next_to = tiles->row + 2 == tiles->coordinates.size();
    bool apart = false, whole = true;
    for (const NodeId id : tiles->loads) {
      const DemandNode& load = graph.nodes[id];
      const int64_t bytes = dtype_bytes(load.dtype);
      apart |= lines_apart(load, column, width) > kMostLines;
      // What a tile has of a row or column is whole sectors, or those of the next follow it.
      whole &=
          tiles->rows * bytes >= kSectorBytes || load.expr.coefficient_of_coordinate(column) == tiles->of_rows().extent;
    }
    for (const DemandStore& store : graph.stores)
      whole &= tiles->columns * dtype_bytes(store.value->shape.dtype) >= kSectorBytes || next_to;
    if (apart && whole) return side;
  }
  return 0;
}

}  // namespace sinter
