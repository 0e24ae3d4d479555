// The tiles of a chain of stencils (levels.h): a block computes a tile of the results, and before it, pass by pass, the
// levels around it. A warp has some rows of a pass next to each other, a lane a column of them, or four, and every
// so-many-th after it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/kernel/work.h"
#include "passes/stages/stencil/levels.h"

namespace sinter {

struct LevelsForm {
  int64_t rows = 1, columns = 1;  // of a tile
  int64_t warps = 1;              // of a block
  bool wide =
      false;  // lanes have kWideColumns columns of passes that can be read so (wide_reads.h), next to each other
  bool operator==(const LevelsForm&) const = default;
};

int64_t row_tiles(const Levels& levels, const LevelsForm& form);
int64_t column_tiles(const Levels& levels, const LevelsForm& form);
int64_t tiles_of(const Levels& levels, const LevelsForm& form);

// The elements of a pass that a block computes; of these, rows of a thread.
int64_t rows_of(const LevelPass& pass, const LevelsForm& form);
int64_t columns_of(const LevelPass& pass, const LevelsForm& form);
int64_t rows_of_thread(const LevelPass& pass, const Levels& levels, const LevelsForm& form);

// Columns next to each other that a lane has of a pass.
int64_t columns_of_lane(const LevelPass& pass, const Levels& levels, const LevelsForm& form);
// The columns that shared memory has of a pass: whole vectors, where some pass reads its levels by these.
int64_t kept_columns(const LevelPass& pass, const Levels& levels, const LevelsForm& form);

// Whether most tiles are so far from all borders that nothing tests for them.
bool has_inner_tiles(const Levels& levels, const LevelsForm& form);

int64_t shared_bytes(const Levels& levels, const LevelsForm& form);

// Of the one launch.
Work levels_work(const Levels& levels, const LevelsForm& form);

// The form that takes least time, and that, in microseconds; nullopt: none has room.
struct ChosenLevels {
  LevelsForm form;
  double us = 0;
};
std::optional<ChosenLevels> choose_levels(const Levels& levels);

// Microseconds that passes take in kernels of their own, a thread an element, with the levels in memory.
double apart_us(const Levels& levels);

// "tiles of 32 x 58, 8 warps", "tiles of 64 x 120, 8 warps, wide": what an instruction says of its form, and back.
std::string levels_text(const LevelsForm& form);
std::optional<LevelsForm> parse_levels(const std::string& text);

}  // namespace sinter
