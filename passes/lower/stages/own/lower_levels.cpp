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
#include <cctype>
#include <set>

#include "ir/support/diagnostics.h"
#include "ir/values/dtype.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/names/value_names.h"
#include "passes/stages/stencil/levels_stage.h"

namespace sinter {

namespace {

class LevelsLowering {
 public:
  LevelsLowering(const StageInput& input, const LevelsDemand& demand)
      : input_(input),
        demand_(demand),
        levels_(demand.levels),
        form_(demand.form),
        w_(input, "", DType::kS32),
        kernel_(w_.kernel) {}

  LoweredStage run() {
    add_arrays();
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

  void add_arrays() {
    // What all passes load, each array once.
    DemandGraph loads(*levels_.passes[0].elements.context);
    for (const LevelPass& pass : levels_.passes) {
      const std::vector<bool> needed = needed_nodes(*pass.elements.graph);
      for (size_t id = 0; id < needed.size(); ++id) {
        const DemandNode& node = pass.elements.graph->nodes[id];
        if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
        loads.results.push_back(static_cast<NodeId>(loads.nodes.size()));
        loads.nodes.push_back({.kind = node.kind, .instruction = node.instruction, .dtype = node.dtype});
      }
    }
    w_.add_values(loads, {});
    for (Parameter& parameter : kernel_.parameters) parameter.bytes.reset();
    for (size_t number = 0; number < demand_.outputs.size(); ++number) {
      const Instruction* output = demand_.outputs[number];
      Variable* pointer = nullptr;
      if (output != nullptr) {
        std::string name = input_.names.at(output);
        const auto is_taken = [&](const Parameter& parameter) { return parameter.variable->name == name; };
        if (std::ranges::any_of(kernel_.parameters, is_taken)) name += "_out";
        pointer = w_.add_pointer(name, output->shape, true, StageArgument::of(output));
      }
      outputs_.push_back(pointer);
    }
    w_.rename_parameters({"warp", "lane", "tile", "batch", "tile_row", "tile_column", "is_inside", "first", "row",
                          "column", "r", "c", "shared", "kernel"});
  }

  static std::string camel(const std::string& name) {
    std::string text = "k";
    bool begins = true;
    for (const char letter : name) {
      if (letter == '_') {
        begins = true;
        continue;
      }
      text += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
      begins = false;
    }
    return text;
  }

  void name_passes() {
    std::set<std::string> taken = {"tile", "row", "column", "thread", "batch"};
    for (const Parameter& parameter : kernel_.parameters) taken.insert(parameter.variable->name);
    const auto unique = [&](const std::string& wanted) {
      std::string name = wanted;
      for (int number = 2; !taken.insert(name).second; ++number) name = wanted + "_" + std::to_string(number);
      return name;
    };
    for (const Levels::Level& level : levels_.levels) level_names_.push_back(unique(value_name(*level.value)));
    for (const LevelPass& pass : levels_.passes) {
      const std::optional<size_t> first = levels_.level_of(pass.values[0]);
      PassText text;
      text.name = first ? level_names_[*first] : unique(is_result_pass(pass) ? "result" : "level");
      text.constant = camel(text.name);
      passes_.push_back(text);
    }
  }

  bool is_tile(const LevelPass& pass) const {
    return pass.row_reach == LevelReach() && pass.column_reach == LevelReach();
  }

  void add_constants() {
    const auto add = [&](const std::string& name, int64_t value, const std::string& spelling = "",
                         const std::string& comment = "") { w_.constexpr_int(name, value, spelling, comment); };
    if (levels_.batches() > 1) add("kBatches", levels_.batches());
    if (!is_line()) add("kRows", levels_.rows);
    add("kColumns", levels_.columns);
    if (!is_line()) add("kTileRows", form_.rows);
    add("kTileColumns", form_.columns);
    add("kWarp", kWarp);
    add("kThreads", threads(), std::to_string(form_.warps) + " * kWarp");
    if (!is_line()) add("kWarps", form_.warps, "kThreads / kWarp");
    const auto tiles = [&](const char* name, int64_t count, const std::string& extent, const std::string& tile) {
      add(name, count, "(" + extent + " + " + tile + " - 1) / " + tile, std::to_string(count));
    };
    if (!is_line()) tiles("kRowTiles", row_tiles(levels_, form_), "kRows", "kTileRows");
    tiles("kColumnTiles", column_tiles(levels_, form_), "kColumns", "kTileColumns");
    for (size_t p = 0; p < passes_.size(); ++p) {
      const LevelPass& pass = levels_.passes[p];
      const std::string& name = passes_[p].constant;
      const auto extent = [&](const char* what, const LevelReach& reach, int64_t value, const char* tile) {
        const int64_t around = reach.before + reach.after;
        const std::string spelling =
            around == 0 ? std::string(tile)
                        : tile + std::string(around > 0 ? " + " : " - ") + std::to_string(std::abs(around));
        add(name + what, value, spelling, std::to_string(value));
      };
      if (!is_line()) {
        extent("Rows", pass.row_reach, rows_of(pass, form_), "kTileRows");
        const int64_t of_thread = rows_of_thread(pass, levels_, form_);
        add(name + "RowsOfThread", of_thread, "(" + name + "Rows + kWarps - 1) / kWarps", std::to_string(of_thread));
      }
      extent("Columns", pass.column_reach, columns_of(pass, form_), "kTileColumns");
    }
  }

  void add_shared() {
    for (size_t k = 0; k < levels_.levels.size(); ++k) {
      const Levels::Level& level = levels_.levels[k];
      const std::string& name = passes_[level.pass].constant;
      std::vector<std::string> dims;
      if (!is_line()) dims.push_back(name + "Rows");
      dims.push_back(name + "Columns");
      kernel_.shared.members.push_back(
          {.name = level_names_[k], .dtype = level.value->shape.dtype, .dims = std::move(dims)});
    }
    kernel_.shared.bytes = shared_bytes(levels_, form_);
  }

  static std::string count(int64_t number, const std::string& of) {
    return std::to_string(number) + " " + of + (number == 1 ? "" : "s");
  }
  // "the tile and 3 rows above and below, 1 column left of it, without 1 column right".
  std::string around(const LevelPass& pass) const {
    std::string more, less;
    const auto add = [&](int64_t number, const char* of, const std::string& where) {
      if (number == 0) return;
      std::string& text = number > 0 ? more : less;
      text += (text.empty() ? "" : ", ") + count(std::abs(number), of) + " " + where;
    };
    const auto add_both = [&](const LevelReach& reach, const char* of, const char* before, const char* after) {
      if (reach.before == reach.after) return add(reach.before, of, std::string(before) + " and " + after);
      add(reach.before, of, before);
      add(reach.after, of, after);
    };
    if (!is_line()) add_both(pass.row_reach, "row", "above", "below");
    add_both(pass.column_reach, "column", "left", "right");
    return "the tile" + (more.empty() ? "" : " and " + more) + (less.empty() ? "" : ", without " + less);
  }
  std::string names_of(size_t p) const {
    std::string text;
    for (const Instruction* value : levels_.passes[p].values) {
      const std::optional<size_t> level = levels_.level_of(value);
      std::string name = level ? level_names_[*level] : "";
      for (size_t number = 0; !level && number < outputs_.size(); ++number) {
        if (demand_.results[number] == value && outputs_[number] != nullptr) name = outputs_[number]->name;
      }
      if (!name.empty()) text += (text.empty() ? "" : ", ") + name;
    }
    return text;
  }

  std::vector<std::string> description() const {
    std::string kept;
    for (const std::string& name : level_names_) kept += (kept.empty() ? "" : ", ") + name;
    std::vector<std::string> lines = {kernel_.name + (kept.empty() ? ": elements of what is around them."
                                                                   : ": a chain of stencils, by way of " + kept + "."),
                                      ""};
    w_.describe_arrays(&lines);
    const std::string tile =
        (is_line() ? std::string() : std::to_string(form_.rows) + " x ") + std::to_string(form_.columns);
    std::string text = "A block computes a tile of " + tile + " elements";
    if (!kept.empty()) {
      text += ", and before it, in shared memory, what of each level is looked at for that:";
      for (size_t p = 0; p < passes_.size(); ++p) {
        if (is_result_pass(levels_.passes[p])) continue;
        text += std::string(p == 0 ? " " : "; ") + "of " + names_of(p) + " " + around(levels_.passes[p]);
      }
    }
    lines.push_back(text + ".");
    lines.push_back("");
    lines.push_back(launch_text(tiles_of(levels_, form_), threads()) + ".");
    return lines;
  }

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

  void write(const Expr* tile, Block* block) {
    if (!kernel_.shared.members.empty()) shared_ = w_.shared(block);
    find_place(tile, block);
    for (size_t p = 0; p < passes_.size(); ++p) {
      if (levels_.passes[p].waits) block->push_back(w_.barrier());
      write_pass(p, block);
    }
    drop_unread_indices(block, *block);
  }

  void find_place(const Expr* tile, Block* block) {
    const Expr* thread = kernel_.name_expr("threadIdx.x");
    if (!is_line()) {
      warp_ = w_.let("warp", kInteger, kernel_.infix(thread, "/", name("kWarp"), kInteger), block);
      lane_ = ref(w_.let("lane", kInteger, kernel_.infix(thread, "%", name("kWarp"), kInteger), block));
    } else {
      lane_ = thread;
    }
    const Expr* number = ref(w_.let("tile", kInteger, tile, block));
    if (levels_.batches() > 1) {
      const Expr* of_batch = name(is_line() ? "kColumnTiles" : "(kRowTiles * kColumnTiles)");
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
        passes_[p].row =
            w_.let(passes_[p].name + "_row", kInteger, plus(ref(tile_row_), -pass.row_reach.before), block);
      if (pass.column_reach.before != 0)
        passes_[p].column =
            w_.let(passes_[p].name + "_column", kInteger, plus(ref(tile_column_), -pass.column_reach.before), block);
    }
    if (has_inner_tiles(levels_, form_)) find_inner_tiles(block);
  }

  // const bool is_inside = tile_row >= 6 && tile_row + kTileRows <= kRows - 6 && ...
  void find_inner_tiles(Block* block) {
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

  // first + r: the row of a thread among those of its pass.
  struct Place {
    const Expr *first = nullptr, *r = nullptr, *column = nullptr;  // the column among the pass's
  };

  void write_pass(size_t p, Block* block) {
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
    Statement loop = w_.counted_loop("c", "", text.constant + "Columns", is_line() ? threads() : kWarp,
                                     is_line() ? "kThreads" : "kWarp");
    loop.begin = lane_;
    place.column = ref(loop.variable);
    const Expr* column = ref(w_.let("column", kInteger, add(ref(text.column), place.column), &loop.body));
    if (is_inside_ != nullptr) {
      Statement either = {.kind = Kind::kIf, .value = ref(is_inside_)};
      write_inside(p, place, column, &either.body);
      write_anywhere(p, place, column, &either.other);
      loop.body.push_back(std::move(either));
    } else {
      write_anywhere(p, place, column, &loop.body);
    }
    inner->push_back(std::move(loop));
    if (!is_line()) block->push_back(std::move(scope));
  }

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
  void write_inside(size_t p, Place place, const Expr* column, Block* block) {
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

  void write_anywhere(size_t p, Place place, const Expr* column, Block* block) {
    const LevelPass& pass = levels_.passes[p];
    const Expr* in_columns = nullptr;
    if (pass.column_reach.before > 0) in_columns = less(column, ">=", kernel_.integer(0));
    in_columns = w_.both(in_columns, less(column, "<", extent(pass.columns, levels_.columns, "kColumns")));
    Statement of_columns = {.kind = Kind::kIf, .value = in_columns};
    for_rows(p, &of_columns.body, [&](const Expr* r, Block* inner) {
      place.r = r;
      const Expr* row = row_of(p, place, inner);
      Block text;
      const std::vector<const Expr*> values = values_at(p, pass.elements, place, column, &text, row);
      for (size_t i = 0; i < values.size(); ++i) store(p, pass.values[i], values[i], place, row, column, &text);
      if (is_line()) {
        inner->insert(inner->end(), text.begin(), text.end());
        return;
      }
      const Expr* in_rows = nullptr;
      if (pass.row_reach.before > 0) in_rows = less(row, ">=", kernel_.integer(0));
      in_rows = w_.both(in_rows, less(row, "<", extent(pass.rows, levels_.rows, "kRows")));
      inner->push_back({.kind = Kind::kIf, .value = in_rows, .body = std::move(text)});
    });
    block->push_back(std::move(of_columns));
  }
  const Expr* extent(int64_t extent, int64_t named, const char* text) {
    return extent == named ? name(text) : kernel_.integer(extent);
  }

  std::string name_of(const Instruction* value) const {
    const std::optional<size_t> level = levels_.level_of(value);
    return level ? level_names_[*level] : value_name(*value);
  }

  // The row of the array.
  const Expr* row_of(size_t p, const Place& place, Block* block) {
    if (is_line()) return kernel_.integer(0);
    return ref(w_.let("row", kInteger, add(add(ref(passes_[p].row), place.first), place.r), block));
  }

  const Expr* shared_element(size_t level, const Expr* row, const Expr* column) {
    const CType type = CType::value(levels_.levels[level].value->shape.dtype);
    const Expr* array = kernel_.member(ref(shared_), level_names_[level], type);
    if (!is_line()) array = kernel_.subscript(array, row, type);
    return kernel_.subscript(array, column, type);
  }

  void store(size_t p, const Instruction* value, const Expr* element, const Place& place, const Expr* row,
             const Expr* column, Block* block) {
    const LevelPass& pass = levels_.passes[p];
    if (const std::optional<size_t> level = levels_.level_of(value)) {
      if (element->kind != Expr::Kind::kSubscript && std::ranges::find(demand_.results, value) != demand_.results.end())
        element = ref(w_.let(level_names_[*level] + "_value", element->type, element, block));
      const Expr* own_row = is_line() ? nullptr : add(place.first, place.r);
      block->push_back(w_.assign(shared_element(*level, own_row, place.column), element));
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
      Statement stores = w_.assign(kernel_.subscript(ref(outputs_[number]), offset, type), element);
      if (in_tile == nullptr) {
        block->push_back(std::move(stores));
      } else {
        block->push_back({.kind = Kind::kIf, .value = in_tile, .body = {std::move(stores)}});
      }
    }
  }

  // A row or column of a level among those that the block has of it: beside the place of the thread, or one of the
  // array's.
  const Expr* in_level(const LevelIndex& index, const Expr* place, int64_t apart, const Variable* begin,
                       Expressions* expressions) {
    if (index.factor == 1) return plus(place, index.shift + apart);
    return kernel_.infix(expressions->index(index.expr), "-", ref(begin), kInteger);
  }

  std::vector<const Expr*> values_at(size_t p, const LevelGraph& of, const Place& place, const Expr* column,
                                     Block* block, const Expr* row = nullptr) {
    const LevelPass& pass = levels_.passes[p];
    if (row == nullptr) row = row_of(p, place, block);
    std::map<int, const Expr*> coordinates = {{of.row, row}, {of.column, column}};
    coordinates[of.batch] = batch_ != nullptr ? batch_ : kernel_.integer(0);
    Expressions expressions = w_.expressions_of(*of.graph, coordinates);
    expressions.along_rows.push_back({of.column, levels_.columns, "kColumns"});
    if (!is_line()) expressions.along_rows.push_back({of.row, levels_.rows, "kRows"});
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

}  // namespace

LoweredStage lower_levels(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<LevelsDemand> demand = demand_levels(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the levels have no form");
  return LevelsLowering(input, *demand).run();
}

}  // namespace sinter
