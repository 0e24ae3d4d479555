// The text of a chain of stencils: a block computes its tile pass by pass, each on as many rows and columns around the
// tile as the passes after it look at.
//
//   // row_sum: the tile and 3 rows above and below.
//   for (int c = lane; c < kRowSumColumns; c += kWarp) {
//     const int column = row_sum_column + c;
//     float row_sum[kRowSumRowsOfThread];
//     for (int r = 0; r < kRowSumRowsOfThread; ++r) {
//       const int row = row_sum_row + first + r;
//       row_sum[r] = x[row * kColumns + column - 1] + ...;
//     }
//     for (int r = 0; r < kRowSumRowsOfThread; ++r) shared.row_sum[first + r][c] = row_sum[r];
//   }
//   __syncthreads();
//
// Near the borders of an array its elements alone are computed: the others are never looked at. Where the rows of a
// pass are not divided by the warps, the last warp computes some once more.
#include <algorithm>

#include "ir/support/diagnostics.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/own/levels_lowering.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/names/value_names.h"

namespace sinter {

LoweredStage LevelsLowering::run() {
  add_arrays();
  take_wide_reads();
  name_passes();
  add_constants();
  add_shared();
  kernel_.description = description();
  StageBody body;
  const std::string tiles =
      std::string(levels_.batches() > 1 ? "kBatches * " : "") + (is_line() ? "" : "kRowTiles * ") + "kColumnTiles";
  body.set_tiles(threads(), tiles_of(levels_, form_), tiles);
  body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
  LoweredStage stage;
  stage.steps.push_back(add_kernel(&w_, body, &stage));
  return stage;
}

void LevelsLowering::write(const Expr* tile, Block* block) {
  if (!kernel_.shared.members.empty()) shared_ = w_.shared(block);
  find_place(tile, block);
  for (size_t p = 0; p < passes_.size(); ++p) {
    if (levels_.passes[p].waits) block->push_back(w_.barrier());
    write_pass(p, block);
  }
  drop_unread_indices(block, *block);
}

void LevelsLowering::find_place(const Expr* tile, Block* block) {
  const Expr* thread = kernel_.name_expr("threadIdx.x");
  if (!is_line()) {
    warp_ = w_.let("warp", kInteger, kernel_.infix(thread, "/", name("kWarp"), kInteger), block);
    lane_ = ref(w_.let("lane", kInteger, kernel_.infix(thread, "%", name("kWarp"), kInteger), block));
  } else {
    lane_ = thread;
  }
  const Expr* number = ref(w_.let("tile", kInteger, tile, block));
  if (levels_.batches() > 1) {
    const Expr* of_batch =
        is_line() ? name("kColumnTiles") : kernel_.infix(name("kRowTiles"), "*", name("kColumnTiles"), kInteger);
    batch_ = ref(w_.let("batch", kInteger, kernel_.infix(number, "/", of_batch, kInteger), block));
  }
  if (!is_line()) {
    const Expr* row = kernel_.infix(number, "/", name("kColumnTiles"), kInteger);
    if (batch_ != nullptr) row = kernel_.infix(row, "%", name("kRowTiles"), kInteger);
    tile_row_ = w_.let("tile_row", kInteger, kernel_.infix(row, "*", name("kTileRows"), kInteger), block);
  }
  const Expr* column =
      is_line() && batch_ == nullptr ? number : kernel_.infix(number, "%", name("kColumnTiles"), kInteger);
  tile_column_ = w_.let("tile_column", kInteger, kernel_.infix(column, "*", name("kTileColumns"), kInteger), block);
  for (size_t p = 0; p < passes_.size(); ++p) {
    const LevelPass& pass = levels_.passes[p];
    passes_[p].row = tile_row_;
    passes_[p].column = tile_column_;
    if (tile_row_ != nullptr && pass.row_reach.before != 0)
      passes_[p].row = w_.let(passes_[p].name + "_row", kInteger, plus(ref(tile_row_), -pass.row_reach.before), block);
    if (pass.column_reach.before != 0)
      passes_[p].column =
          w_.let(passes_[p].name + "_column", kInteger, plus(ref(tile_column_), -pass.column_reach.before), block);
  }
  if (has_inner_tiles(levels_, form_)) find_inner_tiles(block);
}

void LevelsLowering::find_inner_tiles(Block* block) {
  const Expr* all = nullptr;
  const auto test = [&](int64_t margin, const Variable* first, const char* tile, int64_t least, int64_t extent,
                        const char* named) {
    if (margin > 0) all = w_.both(all, less(ref(first), ">=", kernel_.integer(margin)));
    const Expr* end = kernel_.infix(ref(first), "+", name(tile), kInteger);
    all = w_.both(all, less(end, "<=", plus(name(named), least - extent - margin)));
  };
  if (!is_line()) test(levels_.row_margin, tile_row_, "kTileRows", levels_.least_rows, levels_.rows, "kRows");
  test(levels_.column_margin, tile_column_, "kTileColumns", levels_.least_columns, levels_.columns, "kColumns");
  is_inside_ = w_.let("is_inside", kPred, all, block);
}

void LevelsLowering::write_pass(size_t p, Block* block) {
  const LevelPass& pass = levels_.passes[p];
  const PassText& text = passes_[p];
  block->push_back({.kind = Kind::kBlank});
  block->push_back({.kind = Kind::kComment, .text = names_of(p) + ": " + around(pass) + "."});
  Statement scope = {.kind = Kind::kScope};
  Block* inner = block;
  Place place;
  if (!is_line()) {
    inner = &scope.body;
    const int64_t rows = rows_of(pass, form_), of_thread = rows_of_thread(pass, levels_, form_);
    const Expr* of_warp =
        of_thread == 1 ? ref(warp_) : kernel_.infix(ref(warp_), "*", name(text.constant + "RowsOfThread"), kInteger);
    if (of_thread * form_.warps != rows) {
      const Expr* last = name(text.constant + "Rows - " + text.constant + "RowsOfThread");
      of_warp = w_.limited("minimum", of_warp, last);
    }
    place.first = ref(w_.let("first", kInteger, of_warp, inner));
  }
  const std::string lanes = is_line() ? "kThreads" : "kWarp";
  const bool wide = is_wide(p);
  Statement loop =
      w_.counted_loop("c", "", text.constant + "Columns", (is_line() ? threads() : kWarp) * (wide ? kWideColumns : 1),
                      lanes + (wide ? " * kWidth" : ""));
  loop.begin = wide ? kernel_.infix(lane_, "*", name("kWidth"), kInteger) : lane_;
  place.column = ref(loop.variable);
  const Expr* column = ref(w_.let("column", kInteger, add(ref(text.column), place.column), &loop.body));
  if (is_inside_ != nullptr) {
    Statement either = {.kind = Kind::kIf, .value = ref(is_inside_)};
    if (wide) {
      write_wide(p, place, column, &either.body);
      write_each(p, place, &either.other);
    } else {
      write_inside(p, place, column, &either.body);
      write_anywhere(p, place, column, &either.other);
    }
    loop.body.push_back(std::move(either));
  } else {
    write_anywhere(p, place, column, &loop.body);
  }
  inner->push_back(std::move(loop));
  if (!is_line()) block->push_back(std::move(scope));
}

void LevelsLowering::write_inside(size_t p, Place place, const Expr* column, Block* block) {
  const LevelPass& pass = levels_.passes[p];
  std::vector<const Variable*> arrays;
  const bool alone = rows_of_thread(pass, levels_, form_) == 1;
  for (size_t i = 0; i < pass.values.size() && !alone; ++i) {
    CType type = CType::value(pass.values[i]->shape.dtype);
    type.kind = CType::Kind::kArray;
    type.length = rows_of_thread(pass, levels_, form_);
    type.extent = passes_[p].constant + "RowsOfThread";
    Variable* array = kernel_.variable(name_of(pass.values[i]) + "_values", type);
    block->push_back({.kind = Kind::kDeclare, .variable = array});
    arrays.push_back(array);
  }
  std::vector<const Expr*> values;
  for_rows(p, block, [&](const Expr* r, Block* inner) {
    place.r = r;
    values = values_at(p, *pass.inside, place, column, inner);
    for (size_t i = 0; i < arrays.size(); ++i)
      inner->push_back(w_.assign(kernel_.subscript(ref(arrays[i]), r, values[i]->type), values[i]));
  });
  for_rows(p, block, [&](const Expr* r, Block* inner) {
    place.r = r;
    const Expr* row = row_of(p, place, inner);
    for (size_t i = 0; i < pass.values.size(); ++i) {
      const Expr* value =
          alone ? values[i] : kernel_.subscript(ref(arrays[i]), r, CType::value(pass.values[i]->shape.dtype));
      store(p, pass.values[i], value, place, row, column, inner);
    }
  });
}

void LevelsLowering::write_anywhere(size_t p, Place place, const Expr* column, Block* block) {
  const LevelPass& pass = levels_.passes[p];
  const Expr* in_columns =
      inside(column, pass.column_reach, form_.columns, column_tiles(levels_, form_), columns_of(pass, form_),
             pass.columns, extent(pass.columns, levels_.columns, "kColumns"));
  Statement of_columns = {.kind = Kind::kIf, .value = in_columns};
  for_rows(p, in_columns != nullptr ? &of_columns.body : block, [&](const Expr* r, Block* inner) {
    place.r = r;
    const Expr* row = row_of(p, place, inner);
    Block text;
    const std::vector<const Expr*> values = values_at(p, pass.elements, place, column, &text, row);
    for (size_t i = 0; i < values.size(); ++i) store(p, pass.values[i], values[i], place, row, column, &text);
    const Expr* in_rows = nullptr;
    if (!is_line())
      in_rows = inside(row, pass.row_reach, form_.rows, row_tiles(levels_, form_), rows_of(pass, form_), pass.rows,
                       extent(pass.rows, levels_.rows, "kRows"));
    if (in_rows == nullptr) {
      inner->insert(inner->end(), text.begin(), text.end());
      return;
    }
    inner->push_back({.kind = Kind::kIf, .value = in_rows, .body = std::move(text)});
  });
  if (in_columns != nullptr) block->push_back(std::move(of_columns));
}

const Expr* LevelsLowering::inside(const Expr* at, const LevelReach& reach, int64_t tile, int64_t tiles, int64_t most,
                                   int64_t extent, const Expr* end) {
  const Expr* test = nullptr;
  if (reach.before > 0) test = less(at, ">=", kernel_.integer(0));
  const int64_t behind_last = (tiles - 1) * tile - reach.before + most;
  return behind_last <= extent ? test : w_.both(test, less(at, "<", end));
}

const Expr* LevelsLowering::row_of(size_t p, const Place& place, Block* block) {
  if (is_line()) return kernel_.integer(0);
  return ref(w_.let("row", kInteger, add(add(ref(passes_[p].row), place.first), place.r), block));
}

const Expr* LevelsLowering::shared_element(size_t level, const Expr* row, const Expr* column) {
  const CType type = CType::value(levels_.levels[level].value->shape.dtype);
  const Expr* array = kernel_.member(ref(shared_), level_names_[level], type);
  if (!is_line()) array = kernel_.subscript(array, row, type);
  return kernel_.subscript(array, column, type);
}

void LevelsLowering::store(size_t p, const Instruction* value, const Expr* element, const Place& place, const Expr* row,
                           const Expr* column, Block* block, bool wide) {
  const LevelPass& pass = levels_.passes[p];
  const auto put = [&](const Expr* to) {
    return wide ? w_.call(pass.packed ? "store_word" : "store_vector", {kernel_.prefix("&", to, to->type), element})
                : w_.assign(to, element);
  };
  if (const std::optional<size_t> level = levels_.level_of(value)) {
    if (!wide && element->kind != Expr::Kind::kSubscript &&
        std::ranges::find(demand_.results, value) != demand_.results.end())
      element = ref(w_.let(level_names_[*level] + "_value", element->type, element, block));
    const Expr* own_row = is_line() ? nullptr : add(place.first, place.r);
    block->push_back(put(shared_element(*level, own_row, place.column)));
  }
  for (size_t number = 0; number < outputs_.size(); ++number) {
    if (demand_.results[number] != value || outputs_[number] == nullptr) continue;
    const Expr* in_tile = nullptr;
    const auto test = [&](const LevelReach& reach, const Expr* at, const Variable* first, const char* tile) {
      if (reach.before > 0) in_tile = w_.both(in_tile, less(at, ">=", ref(first)));
      const Expr* end = kernel_.infix(ref(first), "+", name(tile), kInteger);
      if (reach.after > 0) in_tile = w_.both(in_tile, less(at, "<", end));
    };
    if (!is_line()) test(pass.row_reach, row, tile_row_, "kTileRows");
    test(pass.column_reach, column, tile_column_, "kTileColumns");
    const Expr* rows = extent(pass.rows, levels_.rows, "kRows");
    const Expr* first = batch_;
    if (!is_line()) {
      first = row;
      if (batch_ != nullptr) first = kernel_.infix(kernel_.infix(batch_, "*", rows, kInteger), "+", row, kInteger);
    }
    const Expr* offset = column;
    if (first != nullptr) {
      const Expr* columns = extent(pass.columns, levels_.columns, "kColumns");
      offset = kernel_.infix(kernel_.infix(first, "*", columns, kInteger), "+", column, kInteger);
    }
    const CType type = CType::value(value->shape.dtype);
    Statement stores = put(kernel_.subscript(ref(outputs_[number]), offset, type));
    if (in_tile == nullptr) {
      block->push_back(std::move(stores));
    } else {
      block->push_back({.kind = Kind::kIf, .value = in_tile, .body = {std::move(stores)}});
    }
  }
}

const Expr* LevelsLowering::in_level(const LevelIndex& index, const Expr* place, int64_t apart, const Variable* begin,
                                     Expressions* expressions) {
  if (index.factor == 1) return plus(place, index.shift + apart);
  return kernel_.infix(expressions->index(index.expr), "-", ref(begin), kInteger);
}

Expressions LevelsLowering::expressions_at(const LevelGraph& of, const Expr* row, const Expr* column) {
  std::map<int, const Expr*> coordinates = {{of.row, row}, {of.column, column}};
  coordinates[of.batch] = batch_ != nullptr ? batch_ : kernel_.integer(0);
  Expressions expressions = w_.expressions_of(*of.graph, coordinates);
  expressions.along_rows.push_back({of.column, levels_.columns, "kColumns"});
  if (!is_line()) expressions.along_rows.push_back({of.row, levels_.rows, "kRows"});
  return expressions;
}

std::vector<const Expr*> LevelsLowering::values_at(size_t p, const LevelGraph& of, const Place& place,
                                                   const Expr* column, Block* block, const Expr* row) {
  const LevelPass& pass = levels_.passes[p];
  if (row == nullptr) row = row_of(p, place, block);
  Expressions expressions = expressions_at(of, row, column);
  for (const LevelGraph::Tap& tap : of.taps) {
    const LevelPass& read = levels_.passes[levels_.levels[tap.level].pass];
    const PassText& text = passes_[levels_.levels[tap.level].pass];
    const Expr* down = nullptr;
    if (!is_line())
      down = in_level(tap.row, add(place.first, place.r), read.row_reach.before - pass.row_reach.before, text.row,
                      &expressions);
    const Expr* right = in_level(tap.column, place.column, read.column_reach.before - pass.column_reach.before,
                                 text.column, &expressions);
    expressions.members[tap.node] = shared_element(tap.level, down, right);
  }
  return w_.results_of(*of.graph, expressions, block);
}

LoweredStage lower_levels(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<LevelsDemand> demand = demand_levels(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the levels have no form");
  return LevelsLowering(input, *demand).run();
}

}  // namespace sinter
