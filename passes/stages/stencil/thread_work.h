// What a thread does for the elements of a pass (levels.h) that it has: rows next to each other, and of each some
// columns. What several of these need is loaded and computed once, since all of them stand in one piece of text.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ir/kernel/work.h"
#include "passes/stages/stencil/levels.h"

namespace sinter {

// How far beside the element's place an operand is read. `moves`: with the element's row.
struct RowShift {
  int64_t row = 0, column = 0;
  bool moves = false;
};
RowShift row_shift(const LevelGraph& elements, const IndexExpr& offset);

class ThreadWork {
 public:
  // `wide`: what lanes of several columns read (wide_reads); nullptr: they have one. `packed`: they have these in a
  // word.
  ThreadWork(const LevelGraph& elements, const Levels& levels, const std::vector<WideRead>* wide, bool packed);

  // Instructions by unit of so many rows; `memory` are loads, `turns` what these take of the lanes that load.
  const Work& of_rows(int64_t rows);

 private:
  // Nodes that are one but for the place.
  struct Same {
    Work work;                                     // of one
    bool by_row = false, by_column = false;        // it differs from one to the next
    std::set<std::pair<int64_t, int64_t>> places;  // row, column
  };
  struct Placed {
    size_t same = 0;
    int64_t row = 0, column = 0;
  };

  void place_nodes(const LevelGraph& elements, const Levels& levels);
  // What a read of one row takes: instructions, turns of the lanes that load, and instructions on parts of words.
  struct RowRead {
    int64_t accesses = 1, turns = 1, parts = 0;
  };
  void add_read(const std::pair<const Instruction*, IndexExpr>& key, int64_t row, bool moves, const RowRead& one);
  int64_t times(const Same& same, int64_t rows) const;

  int64_t columns_ = 1;  // that are computed one by one
  bool packed_ = false;
  std::vector<Same> same_;
  struct Read {
    std::set<int64_t> rows;
    bool moves = false;
    RowRead one;
  };
  std::map<std::pair<const Instruction*, IndexExpr>, Read> reads_;
  std::map<int64_t, Work> known_;  // by rows
};

}  // namespace sinter
