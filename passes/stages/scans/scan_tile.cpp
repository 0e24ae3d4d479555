#include "passes/stages/scans/scan_tile.h"

#include <algorithm>

#include "passes/stages/domain/launch_shape.h"

namespace sinter {

namespace {

constexpr int64_t kNeighbours = 8;  // rows side by side: fewer do not fill a sector of memory
constexpr int64_t kThreads = 256;
constexpr int64_t kMinTile = 4096, kMinTileAcross = 256;
constexpr int64_t kBlocks = 8 * kMultiprocessors;  // of that many threads, as many as run at a time
constexpr int64_t kBlocksAcross = 2 * kMultiprocessors;
constexpr int64_t kLongTileAcross = 2048;  // longer ones are cut, up to kBlocks

}  // namespace

ScanTile scan_tile(const Instruction& scan) {
  const ScanExtents extents = *scan_extents(scan);
  int64_t inner = 1;  // elements from one of a row to the next
  for (int64_t d = extents.dimension + 1; d < scan.shape.rank(); ++d) inner *= scan.shape.dims[d];
  ScanTile tile = inner >= kNeighbours
                      ? ScanTile{.across = true, .threads = kThreads, .blocks = ceil_div(extents.rows, kScanLanes)}
                      : ScanTile{.threads = scan_block(extents), .blocks = extents.rows};
  // Tiles are read twice: that pays where rows leave most multiprocessors without a block, and are long.
  const int64_t most = extents.columns / (tile.across ? kMinTileAcross : kMinTile);
  if (4 * tile.blocks > kMultiprocessors || most < 4) return tile;
  const int64_t step = tile.across ? kThreads / kScanLanes : kThreads;
  int64_t wanted = ceil_div(kBlocks, tile.blocks);
  if (tile.across) wanted = std::clamp(extents.columns / kLongTileAcross, ceil_div(kBlocksAcross, tile.blocks), wanted);
  const int64_t tiles = std::min(most, wanted);
  tile.threads = kThreads;
  tile.tile = ceil_div(ceil_div(extents.columns, tiles), step) * step;
  tile.tiles = ceil_div(extents.columns, tile.tile);
  tile.blocks *= tile.tiles;
  return tile;
}

}  // namespace sinter
