// The text of a chain of stencils (levels.h): what stands around its statements is in levels_frame.cpp, passes in
// lower_levels.cpp, those whose lanes have several columns in write_wide_levels.cpp.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/base/stage_writer.h"
#include "passes/names/value_names.h"
#include "passes/stages/stencil/levels_stage.h"

namespace sinter {

class LevelsLowering {
 public:
  LevelsLowering(const StageInput& input, const LevelsDemand& demand)
      : input_(input),
        demand_(demand),
        levels_(demand.levels),
        form_(demand.form),
        w_(input, "", DType::kS32),
        kernel_(w_.kernel) {}

  LoweredStage run();

 private:
  using Kind = Statement::Kind;

  // A pass as the text has it: what its names begin with, and those of its constants.
  struct PassText {
    std::string name, constant;
    const Variable *row = nullptr, *column = nullptr;  // of the array, where its elements begin
  };

  bool is_line() const { return levels_.rows == 1; }
  int64_t threads() const { return form_.warps * kWarp; }
  bool is_result_pass(const LevelPass& pass) const {
    return std::ranges::none_of(pass.values,
                                [&](const Instruction* value) { return levels_.level_of(value).has_value(); });
  }

  // ---- what stands around the statements ----

  void add_arrays();

  // What a wide pass reads by vectors is no load of an element any more.
  void take_wide_reads();

  void name_passes();

  bool is_wide(size_t p) const { return columns_of_lane(levels_.passes[p], levels_, form_) > 1; }
  bool has_wide() const {
    return std::ranges::any_of(levels_.passes,
                               [&](const LevelPass& pass) { return columns_of_lane(pass, levels_, form_) > 1; });
  }

  void add_constants();

  void add_shared();

  static std::string count(int64_t number, const std::string& of) {
    return std::to_string(number) + " " + of + (number == 1 ? "" : "s");
  }
  // "the tile and 3 rows above and below, 1 column left of it, without 1 column right".
  std::string around(const LevelPass& pass) const;
  std::string names_of(size_t p) const;

  // What levels and results are; nothing, where that takes many lines.
  void add_formula_lines(std::vector<std::string>* lines) const;
  std::vector<std::string> description() const;

  // ---- statements ----

  const Expr* name(const std::string& text) { return kernel_.name_expr(text, kInteger); }
  const Expr* ref(const Variable* variable) { return kernel_.reference(variable); }
  const Expr* plus(const Expr* a, int64_t number) {
    if (number == 0) return a;
    if (a->kind == Expr::Kind::kInteger) return kernel_.integer(a->integer + number);
    return kernel_.infix(a, number > 0 ? "+" : "-", kernel_.integer(std::abs(number)), kInteger);
  }
  const Expr* add(const Expr* a, const Expr* b) {
    if (b->kind == Expr::Kind::kInteger) return plus(a, b->integer);
    return a->kind == Expr::Kind::kInteger ? plus(b, a->integer) : kernel_.infix(a, "+", b, kInteger);
  }
  const Expr* less(const Expr* a, const char* op, const Expr* b) { return kernel_.infix(a, op, b, kPred); }

  void write(const Expr* tile, Block* block);

  void find_place(const Expr* tile, Block* block);

  // const bool is_inside = tile_row >= 6 && tile_row + kTileRows <= kRows - 6 && ...
  void find_inner_tiles(Block* block);

  // first + r: the row of a thread among those of its pass.
  struct Place {
    const Expr *first = nullptr, *r = nullptr, *column = nullptr;  // the column among the pass's
  };

  void write_pass(size_t p, Block* block);

  // for (int r = 0; r < kRowsOfThread; ++r), unrolled, or what it does once.
  template <class Write>
  void for_rows(size_t p, Block* block, const Write& write) {
    if (rows_of_thread(levels_.passes[p], levels_, form_) == 1) return write(kernel_.integer(0), block);
    Statement loop = w_.counted_loop("r", "", passes_[p].constant + "RowsOfThread");
    loop.unroll = Statement::kUnrollFully;
    write(ref(loop.variable), &loop.body);
    block->push_back(std::move(loop));
  }

  // All elements of a thread's column, and then the stores: rows that several of them look at are loaded once.
  void write_inside(size_t p, Place place, const Expr* column, Block* block);

  // ---- several columns of a lane ----

  // The same of kWidth columns: rows of what they look at are loaded by vectors, and theirs stored so.
  void write_wide(size_t p, Place place, const Expr* column, Block* block);

  // float x_near[12]; load_neighbours(x_near, &x[row * kColumns + column - 4]);
  using Near = std::map<NodeId, std::pair<const Variable*, int64_t>>;  // where a node is, for the lane's first column
  Near load_near(size_t p, const Place& place, const Expr* row, const Expr* column, Block* block);

  std::vector<const Expr*> values_near(size_t p, const Expr* row, const Expr* column, const Expr* k, const Near& near,
                                       Block* block);

  // The same of four bytes in a word (device/packed_bytes.cuh).
  std::vector<const Expr*> packed_values(size_t p, const Near& near, Block* block);

  // Near a border a lane's columns one after the other.
  void write_each(size_t p, Place place, Block* block);

  void write_anywhere(size_t p, Place place, const Expr* column, Block* block);
  // 3846, where there are 3840 columns, is kColumns + 6.
  const Expr* extent(int64_t extent, int64_t named, const char* text) {
    constexpr int64_t kNear = 64;
    return std::abs(extent - named) > std::min(kNear, named / 2) ? kernel_.integer(extent)
                                                                 : plus(name(text), extent - named);
  }
  // The test of what a pass computes beyond the first and the last element, where some tile does; nullptr: none.
  // `tile`: how many there are of `tiles`, of which the pass has `most` elements each.
  const Expr* inside(const Expr* at, const LevelReach& reach, int64_t tile, int64_t tiles, int64_t most, int64_t extent,
                     const Expr* end);

  std::string name_of(const Instruction* value) const {
    const std::optional<size_t> level = levels_.level_of(value);
    return level ? level_names_[*level] : value_name(*value);
  }

  // The row of the array.
  const Expr* row_of(size_t p, const Place& place, Block* block);

  const Expr* shared_element(size_t level, const Expr* row, const Expr* column);

  void store(size_t p, const Instruction* value, const Expr* element, const Place& place, const Expr* row,
             const Expr* column, Block* block, bool wide = false);

  // A row or column of a level among those that the block has of it: beside the place of the thread, or one of the
  // array's.
  const Expr* in_level(const LevelIndex& index, const Expr* place, int64_t apart, const Variable* begin,
                       Expressions* expressions);

  Expressions expressions_at(const LevelGraph& of, const Expr* row, const Expr* column);

  std::vector<const Expr*> values_at(size_t p, const LevelGraph& of, const Place& place, const Expr* column,
                                     Block* block, const Expr* row = nullptr);

  const StageInput& input_;
  const LevelsDemand& demand_;
  const Levels& levels_;
  const LevelsForm& form_;
  StageWriter w_;
  Kernel& kernel_;
  std::vector<Variable*> outputs_;  // by result; nullptr: nobody reads it
  std::vector<PassText> passes_;
  std::vector<std::string> level_names_;
  const Variable* shared_ = nullptr;
  const Variable* warp_ = nullptr;
  const Expr* lane_ = nullptr;
  const Expr* batch_ = nullptr;
  const Variable *tile_row_ = nullptr, *tile_column_ = nullptr;
  const Variable* is_inside_ = nullptr;  // nullptr: nothing asks
};

}  // namespace sinter
