#include "passes/stages/scans/scan_tile.h"

#include <algorithm>

#include "passes/analysis/values/latencies.h"
#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/domain/launch_shape.h"

namespace sinter {

namespace {

constexpr int64_t kNeighbours = 8;  // rows side by side: fewer do not fill a sector of memory
constexpr int64_t kThreads = 256;
constexpr int64_t kMinTile = 4096, kMinTileAcross = 256;
constexpr int64_t kBlocks = 8 * kMultiprocessors;  // of that many threads, as many as run at a time
constexpr int64_t kBlocksAcross = 2 * kMultiprocessors;
constexpr int64_t kLongTileAcross = 2048;    // longer ones are cut, up to kBlocks
constexpr double kMemoryBytesACycle = 2000;  // of all multiprocessors together
constexpr double kLaunchCycles = 5000;       // of the launch that combines tiles

int64_t step_of(bool across) { return across ? kThreads / kScanLanes : kThreads; }

ScanTile whole_rows(const ScanDemand& demand) {
  const Shape& shape = demand.scan->shape;
  int64_t inner = 1;  // elements from one of a row to the next
  for (int64_t d = demand.extents.dimension + 1; d < shape.rank(); ++d) inner *= shape.dims[d];
  if (inner >= kNeighbours)
    return {.across = true, .threads = kThreads, .blocks = ceil_div(demand.extents.rows, kScanLanes)};
  return {.threads = scan_block(demand.extents), .blocks = demand.extents.rows};
}

ScanTile in_tiles(const ScanDemand& scan, ScanTile whole, int64_t elements) {
  whole.threads = kThreads;
  whole.tile = elements;
  whole.tiles = ceil_div(scan.extents.columns, elements);
  whole.blocks *= whole.tiles;
  return whole;
}

double loaded_bytes(const DemandGraph& graph) {
  double bytes = 0;
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad) bytes += static_cast<double>(dtype_bytes(node.dtype));
  }
  return bytes;
}

// About how many cycles a scan takes so: its blocks' steps, or what moves through memory meanwhile.
double cycles_of(const ScanDemand& scan, const ScanTile& tile) {
  const auto elements = static_cast<double>(scan.extents.rows) * static_cast<double>(scan.extents.columns);
  const double launches = tile.tiles > 1 ? 2 : 1;
  double bytes = launches * loaded_bytes(*scan.operand) + loaded_bytes(*scan.epilogue);
  for (const DemandStore& store : scan.graph->stores)
    bytes += static_cast<double>(dtype_bytes(store.value->shape.dtype));
  // Of more blocks than run at a time some begin when others are done.
  const auto turns = static_cast<double>(ceil_div(tile.blocks, kBlocks * kThreads / tile.threads));
  const double steps = turns * scan_step_cycles(scan.extents, tile);
  return std::max(launches * steps, bytes * elements / kMemoryBytesACycle) + (launches - 1) * kLaunchCycles;
}

}  // namespace

ScanTile scan_tile(const ScanDemand& scan) {
  const ScanTile whole = whole_rows(scan);
  return scan.tile == 0 ? whole : in_tiles(scan, whole, scan.tile);
}

double scan_step_cycles(const ScanExtents& extents, const ScanTile& tile) {
  const int64_t at_once = tile.across ? tile.threads / kScanLanes : tile.threads;
  const int64_t steps = ceil_div(tile.tiles > 1 ? tile.tile : extents.columns, at_once);
  return static_cast<double>(steps) * (10 * kShuffleCycles + 2 * kBarrierCycles + kSharedCycles);
}

int64_t choose_scan_tile(const ScanDemand& scan) {
  const ScanTile whole = whole_rows(scan);
  const int64_t columns = scan.extents.columns, most = columns / (whole.across ? kMinTileAcross : kMinTile);
  if (choose_otherwise || most < 4) return 0;
  const int64_t step = step_of(whole.across);
  int64_t wanted = std::max<int64_t>(kBlocks / whole.blocks, 1);  // all at a time
  if (whole.across) wanted = std::clamp(columns / kLongTileAcross, ceil_div(kBlocksAcross, whole.blocks), wanted);
  const int64_t tiles = std::min(most, wanted);
  if (tiles < 2) return 0;
  const int64_t tile = ceil_div(ceil_div(columns, tiles), step) * step;
  // Tiles are read twice: that pays where rows are long and leave most multiprocessors without a block, or are so few
  // that their steps take longer than memory does.
  const bool leave_most = 4 * whole.blocks <= kMultiprocessors;
  return leave_most || cycles_of(scan, in_tiles(scan, whole, tile)) < cycles_of(scan, whole) ? tile : 0;
}

}  // namespace sinter
