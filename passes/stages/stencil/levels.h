// A chain of stencils: elements of some values, the levels, are read a few rows and columns beside the element that is
// computed of them, as a window's sums along columns are of sums along rows.
//
//   %rows = f32[2160,3840] add(slice(pad(%x)), ...)           seven elements above each other
//   %sums = f32[2160,3840] add(slice(pad(%rows)), ...)        seven of these side by side
//
// A block that computes a tile of the results keeps the levels of the tile, and of as many rows and columns around it
// as what follows looks at. Levels of one shape that need nothing of each other are one pass over these elements; the
// results are the last one, or several where their shapes differ.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// How many elements of a level are needed before the first, and after the last, of a tile.
struct LevelReach {
  int64_t before = 0, after = 0;
  bool operator==(const LevelReach&) const = default;
};

// One dimension of an index: `factor` times the coordinate, and `shift`; `expr` says so too, and is all that is known
// where the factor is kChosen: at some borders it is another one.
struct LevelIndex {
  static constexpr int64_t kChosen = 2;
  int64_t factor = 1, shift = 0;
  IndexExpr expr;
};

// What computes the elements of a pass.
struct LevelGraph {
  // A node that reads a level, of kind kParameter.
  struct Tap {
    NodeId node = kNoNode;
    size_t level = 0;
    LevelIndex row, column;
  };
  std::unique_ptr<DemandContext> context;
  std::unique_ptr<DemandGraph> graph;  // results: the values of the pass at (batch, row, column)
  std::vector<Tap> taps;
  int batch = 0, row = 0, column = 0;  // coordinates
};

inline constexpr int64_t kWideColumns = 4;  // of a lane that has several, next to each other

// What such a lane reads of an array, or a level, in one row, by vectors: once for all of its columns.
struct WideRead {
  const Instruction* array = nullptr;
  std::optional<size_t> level;  // nullopt: an operand
  IndexExpr offset;             // of an operand: of the first element that is read, by the coordinates
  LevelIndex row;               // of a level
  int64_t first = 0;            // of a level: the first column, from the pass's own on
  int64_t count = 0;            // columns, whole vectors
  // Nodes, and which of the columns each is for the lane's first.
  std::vector<std::pair<NodeId, int64_t>> nodes;

  // Rows that it is beside the element's, and whether it goes on with that. Two that differ in this alone are the same
  // in another row.
  int64_t down = 0;
  bool moves = false;
};

struct LevelPass {
  std::vector<const Instruction*> values;  // of one shape
  int64_t rows = 1, columns = 1;           // of that
  LevelReach row_reach, column_reach;
  LevelGraph elements;
  std::optional<LevelGraph> inside;  // of elements so far from all borders that nothing tests for them
  // What lanes of several columns read for elements that are so far; nullopt: a lane has one column.
  std::optional<std::vector<WideRead>> wide;
  bool packed = false;  // these have four bytes in a word (packed_bytes.h)
  bool waits = false;   // for what other threads have computed in passes before
};

struct Levels {
  struct Level {
    const Instruction* value = nullptr;
    size_t pass = 0;
  };
  std::vector<int64_t> batch_dims;
  int64_t rows = 1, columns = 1;              // of the largest result, which tiles are counted of
  int64_t least_rows = 1, least_columns = 1;  // of the smallest value
  int64_t row_margin = 0, column_margin = 0;  // of tiles that are inside
  std::vector<Level> levels;
  std::vector<LevelPass> passes;  // in their order

  int64_t batches() const;
  // The level that a value is; nullopt: it is none.
  std::optional<size_t> level_of(const Instruction* value) const;
};

// The results of a computation: the elements of its root, or that.
std::vector<const Instruction*> results_of(const Computation& computation);

// The passes that compute the results of `computation`, and the levels of `kept` between them; nullopt: some level, or
// result, is not read or computed so. `inside`: with what computes elements far from all borders.
std::optional<Levels> find_levels(const Computation& computation, const std::set<const Instruction*>& kept,
                                  bool inside);

// Those that a pass has said are levels.
std::set<const Instruction*> kept_levels(const Computation& computation);

}  // namespace sinter
