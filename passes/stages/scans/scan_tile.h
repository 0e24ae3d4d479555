// What a block of a scan kernel walks along: a row, rows side by side, or a tile of a row.
#pragma once

#include "passes/analysis/values/hardware.h"
#include "passes/stages/scans/scan.h"

namespace sinter {

// Rows side by side in memory are walked along together, a row a lane: neighbouring lanes read neighbours.
inline constexpr int64_t kScanLanes = kWarp;

struct ScanTile {
  bool across = false;  // elements of a row lie apart in memory: kScanLanes rows a block
  int64_t threads = 32;
  int64_t blocks = 1;
  int64_t tiles = 1;  // of a row; more than one where rows are long, and few for that
  int64_t tile = 0;   // elements of one
};
ScanTile scan_tile(const ScanDemand& scan);

// Cycles that the steps of a block take, one after the other.
double scan_step_cycles(const ScanExtents& extents, const ScanTile& tile);

// The tile that blocks had better take: 0, whole rows, unless these are long, and so few that tiles, read
// twice, take less.
int64_t choose_scan_tile(const ScanDemand& scan);

}  // namespace sinter
