// How blocks take several steps of a stencil at once (stencil.h): a block has a tile of the state in registers, with as
// many rows and columns around what it is to store as its steps look at, which it computes again. A warp has some rows
// of the tile, a lane some columns of these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/kernel/work.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/stencil/stencil.h"

namespace sinter {

struct TilesForm {
  int64_t steps_at_once = 1;  // of a launch; the last may have fewer
  int64_t steps = 1;          // in all
  int64_t rows_of_thread = 1;
  int64_t width = 1;  // columns of a thread: one access
  int64_t warps = 1;  // of a block

  bool is_one_launch() const { return steps_at_once >= steps; }
  bool operator==(const TilesForm&) const = default;
};

// One dimension of the tiles: `tile` elements from `first` on, of which those but `around` to either side are stored.
struct TilesAxis {
  int64_t tile = 1;
  int64_t around = 0;
  int64_t tiles = 1;
  int64_t own() const { return tile - 2 * around; }
};
TilesAxis tile_rows(const Stencil& stencil, const TilesForm& form);
TilesAxis tile_columns(const Stencil& stencil, const TilesForm& form);
// Blocks of a launch.
int64_t tiles_of(const Stencil& stencil, const TilesForm& form);

// Whether most tiles have no element so near to a border that a step tests for it (Stencil::inside).
bool has_inner_tiles(const Stencil& stencil, const TilesForm& form);

// Bytes of shared memory of a block.
int64_t shared_bytes(const Stencil& stencil, const TilesForm& form);

// Of one launch of `steps_at_once` steps.
Work tiles_work(const Stencil& stencil, const TilesForm& form);

// The form that takes least time for `steps` steps; nullopt where a launch, or a wait of all blocks, for each step
// takes no longer.
std::optional<TilesForm> choose_tiles(const Stencil& stencil, int64_t steps);

// "8 of 1000 steps, 8 x 4 elements a thread, 16 warps": what an instruction says of its form, and back.
std::string tiles_text(const TilesForm& form);
std::optional<TilesForm> parse_tiles(const std::string& text);

}  // namespace sinter
