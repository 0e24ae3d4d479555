#include "passes/stages/scans/scan_tile.h"

#include <algorithm>

#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/domain/launch_shape.h"

namespace sinter {

namespace {

constexpr int64_t kNeighbours = 8;  // rows side by side: fewer do not fill a sector of memory
constexpr int64_t kThreads = 256;
constexpr int64_t kMinTile = 4096, kMinTileAcross = 256;
constexpr int64_t kBlocks = 8 * kMultiprocessors;  // of that many threads, as many as run at a time
constexpr int64_t kBlocksAcross = 2 * kMultiprocessors;
constexpr int64_t kLongTileAcross = 2048;  // longer ones are cut, up to kBlocks

int64_t step_of(bool across) { return across ? kThreads / kScanLanes : kThreads; }

ScanTile whole_rows(const ScanDemand& demand) {
  const Shape& shape = demand.scan->shape;
  int64_t inner = 1;  // elements from one of a row to the next
  for (int64_t d = demand.extents.dimension + 1; d < shape.rank(); ++d) inner *= shape.dims[d];
  if (inner >= kNeighbours)
    return {.across = true, .threads = kThreads, .blocks = ceil_div(demand.extents.rows, kScanLanes)};
  return {.threads = scan_block(demand.extents), .blocks = demand.extents.rows};
}

}  // namespace

ScanTile scan_tile(const ScanDemand& scan) {
  ScanTile tile = whole_rows(scan);
  if (scan.tile == 0) return tile;
  tile.threads = kThreads;
  tile.tile = scan.tile;
  tile.tiles = ceil_div(scan.extents.columns, tile.tile);
  tile.blocks *= tile.tiles;
  return tile;
}

int64_t choose_scan_tile(const ScanDemand& scan) {
  const ScanTile whole = whole_rows(scan);
  // Tiles are read twice: that pays where rows leave most multiprocessors without a block, and are long.
  const int64_t columns = scan.extents.columns, most = columns / (whole.across ? kMinTileAcross : kMinTile);
  if (choose_otherwise || 4 * whole.blocks > kMultiprocessors || most < 4) return 0;
  const int64_t step = step_of(whole.across);
  int64_t wanted = ceil_div(kBlocks, whole.blocks);
  if (whole.across) wanted = std::clamp(columns / kLongTileAcross, ceil_div(kBlocksAcross, whole.blocks), wanted);
  const int64_t tiles = std::min(most, wanted);
  return ceil_div(ceil_div(columns, tiles), step) * step;
}

}  // namespace sinter
