// The tiles that a run's size needs, where the program is compiled for up to N rows: those beyond compute what nobody
// looks at (passes/analysis/shapes/needed_parts.h). A launch has no others; of a launch that kernels share, whose
// blocks are divided among them beforehand, the others leave at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "passes/demand/demand.h"
#include "passes/lower/stages/base/stage_writer.h"

namespace sinter {

// What the tiles along one dimension of a grid divide among them, in their order.
struct TiledElements {
  const DemandGraph* graph = nullptr;  // which stores what is computed of them
  IndexExpr element;                   // of a thread, in the graph's coordinates
  int64_t count = 1;
  std::string each;  // of one tile, in constants: "kRowsPerBlock"
  std::string what;  // they are: "rows"
  size_t dimension = 0;
};

struct RunTiles {
  TiledElements tiled;
  const Instruction* size = nullptr;  // the parameter of the entry
  int64_t per_size = 1;               // elements for each of the size
};

// nullopt: all tiles are needed, or it is not known.
std::optional<RunTiles> run_tiles(const StageWriter& writer, const std::vector<TiledElements>& tiled);

// Whether a kernel's launches have the tiles that a run needs.
bool launches_run_tiles(const Kernel& kernel);

// The kernel, which is finished but for that, takes the size.
void keep_to_run_tiles(const RunTiles& run, StageWriter* writer);

}  // namespace sinter
