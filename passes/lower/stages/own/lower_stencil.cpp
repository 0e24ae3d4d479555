// The text of several steps of a stencil: a block loads a tile of the state, with what is around it, makes its steps in
// registers, and stores the inner part.
//
//   for (int step = first_step; step < end_step; ++step) {
//     share_rows(u, shared.u[step % 2]);
//     __syncthreads();
//     take_rows(u, shared.u[step % 2]);
//     take_columns<false>(u);
//     Cells<float, kRowsOfThread, kWidth> next_u;
//     for (int r = 0; r < kRowsOfThread; ++r) {
//       for (int c = 0; c < kWidth; ++c) {
//         next_u[r][c] = u[r][c] + 0.2f * (u[r - 1][c] + u[r + 1][c] + ...);
//       }
//     }
//     set_cells(u, next_u);
//   }
//
// Two buffers take turns, so that one barrier a step is enough. What a tile has beyond the array's borders is never
// looked at, or is what is there once more. All loads are of the array: their indices are brought into it.
#include "passes/lower/stages/own/stencil_lowering.h"

#include <set>

#include "ir/support/diagnostics.h"
#include "ir/values/dtype.h"
#include "passes/lower/stages/own/own_lowerings.h"

namespace sinter {

LoweredStage StencilLowering::run() {
  kernel_.headers.insert("device/tile_cells.cuh");
  add_arrays();
  add_constants();
  add_shared();
  kernel_.description = description();
  StageBody body;
  const std::string tiles =
      std::string(stencil_.batches() > 1 ? "kBatches * " : "") + (has_rows() ? "kRowTiles * " : "") + "kColumnTiles";
  body.set_tiles(form_.warps * kWarp, tiles_of(stencil_, form_), tiles);
  body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
  LoweredStage stage;
  stage.steps.push_back(add_kernel(&w_, body, &stage));
  return stage;
}

bool StencilLowering::is_mirrored() const {
  return sinter::is_mirrored(stencil_.rows.border) || sinter::is_mirrored(stencil_.columns.border);
}

void StencilLowering::add_arrays() {
  const DemandGraph& graph = *stencil_.graph;
  std::set<std::string> taken;
  for (size_t k = 0; k < stencil_.states.size(); ++k) {
    Array array;
    array.name = input_.names.at(demand_.after[k] != nullptr ? demand_.after[k] : demand_.before[k]);
    for (int number = 1; !taken.insert(array.name).second; ++number) array.name += "_" + std::to_string(number);
    const Shape& shape = demand_.before[k]->shape;
    array.in = w_.add_pointer(array.name + "_in", shape, false, StageArgument::of(demand_.before[k]));
    arrays_.push_back(array);
  }
  for (size_t n = 0; n < stencil_.numbers.size(); ++n) {
    const size_t k = stencil_.states.size() + n;
    Array number;
    number.name = input_.names.at(demand_.after[k] != nullptr ? demand_.after[k] : demand_.before[k]);
    for (int count = 1; !taken.insert(number.name).second; ++count) number.name += "_" + std::to_string(count);
    number.in =
        w_.add_pointer(number.name + "_in", demand_.before[k]->shape, false, StageArgument::of(demand_.before[k]));
    number.cells = kernel_.variable(number.name, CType::value(stencil_.numbers[n].dtype));
    numbers_.push_back(number);
  }
  w_.add_values(graph, {});
  for (size_t k = 0; k < stencil_.states.size(); ++k) {
    if (demand_.after[k] == nullptr) continue;
    arrays_[k].out =
        w_.add_pointer(arrays_[k].name + "_out", demand_.after[k]->shape, true, StageArgument::of(demand_.after[k]));
  }
  for (size_t n = 0; n < numbers_.size(); ++n) {
    const Instruction* after = demand_.after[stencil_.states.size() + n];
    if (after != nullptr)
      numbers_[n].out = w_.add_pointer(numbers_[n].name + "_out", after->shape, true, StageArgument::of(after));
  }
  if (!form_.is_one_launch()) t_ = w_.add_integer("t", StageArgument::counter());
  for (size_t k = 0; k < stencil_.states.size(); ++k)
    arrays_[k].cells = kernel_.variable(arrays_[k].name, CType::named(cells_type(stencil_.states[k])));
}

std::string StencilLowering::cells_type(const Stencil::State& state, bool alone) {
  std::string text = "Cells<" + type_name(state) + ", kRowsOfThread, kWidth";
  if (!alone && looks_around(state))
    text += ", " + std::to_string(state.rows_around) + ", " + std::to_string(state.columns_around);
  return text + ">";
}

void StencilLowering::add_constants() {
  const auto add = [&](const char* name, int64_t value, const std::string& spelling = "",
                       const std::string& comment = "") { w_.constexpr_int(name, value, spelling, comment); };
  if (stencil_.batches() > 1) add("kBatches", stencil_.batches());
  if (has_rows()) add("kRows", stencil_.rows.extent);
  add("kColumns", stencil_.columns.extent);
  add("kSteps", form_.steps);
  if (!form_.is_one_launch()) add("kStepsAtOnce", form_.steps_at_once);
  add("kRowsOfThread", form_.rows_of_thread);
  add("kWidth", form_.width, "", "columns of a thread");
  add("kWarps", form_.warps);
  add("kThreads", form_.warps * kWarp, "kWarps * 32");
  if (has_rows()) add("kTileRows", rows_.tile, "kWarps * kRowsOfThread", std::to_string(rows_.tile));
  add("kTileColumns", columns_.tile, "32 * kWidth", std::to_string(columns_.tile));
  if (rows_.around > 0) add("kRowsAround", rows_.around, "", "on each side of a tile, of its neighbours");
  if (columns_.around > 0) add("kColumnsAround", columns_.around);
  const auto tiles = [&](const char* name, const TilesAxis& axis, const std::string& extent, const std::string& own) {
    add(name, axis.tiles, axis.tiles > 1 ? "(" + extent + " + " + own + " - 1) / (" + own + ")" : "",
        axis.tiles > 1 ? std::to_string(axis.tiles) : "");
  };
  if (has_rows()) tiles("kRowTiles", rows_, "kRows", own_rows());
  tiles("kColumnTiles", columns_, "kColumns", own_columns());
}

void StencilLowering::add_shared() {
  for (size_t k = 0; k < stencil_.states.size(); ++k) {
    const Stencil::State& state = stencil_.states[k];
    if (!shares(state)) continue;
    const std::string rows = has_rows() ? "kTileRows" : "1";
    const std::string type = is_mirrored() ? "TileRows<" + type_name(state) + ", " + rows + ", kWidth>"
                                           : "RowsOfWarps<" + type_name(state) + ", kWarps, kWidth, " +
                                                 std::to_string(state.rows_around) + ">";
    kernel_.shared.members.push_back({.name = arrays_[k].name, .dims = {"2"}, .type = type});
  }
  kernel_.shared.bytes = shared_bytes(stencil_, form_);
}

std::vector<std::string> StencilLowering::description() const {
  const auto count = [](int64_t number, const std::string& of) {
    return std::to_string(number) + " " + of + (number == 1 ? "" : "s");
  };
  std::vector<std::string> lines = {kernel_.name + ": " +
                                        (form_.is_one_launch() ? "the " + count(form_.steps, "step") + " of a loop."
                                                               : count(form_.steps_at_once, "step") + " of a loop of " +
                                                                     std::to_string(form_.steps) + "."),
                                    ""};
  w_.describe_arrays(&lines);
  lines.push_back(
      "A block makes the steps on a tile of " + (has_rows() ? std::to_string(rows_.tile) + " x " : std::string()) +
      std::to_string(columns_.tile) + " elements, which its threads have in registers, " +
      (has_rows() ? std::to_string(form_.rows_of_thread) + " x " : std::string()) + std::to_string(form_.width) +
      " each, and stores the inner" + (has_rows() ? " " + std::to_string(rows_.own()) + " x " : " ") +
      std::to_string(columns_.own()) + ": with each step one more row and column at its rim " +
      "is no longer right, as its neighbours are other blocks'.");
  lines.push_back("");
  lines.push_back(launch_text(tiles_of(stencil_, form_), form_.warps * kWarp) + ". " + w_.traffic_text() + ".");
  return lines;
}

const Expr* StencilLowering::plus(const Expr* a, int64_t number) {
  if (a->kind == Expr::Kind::kInteger) return kernel_.integer(a->integer + number);
  if (number == 0) return a;
  return kernel_.infix(a, number > 0 ? "+" : "-", kernel_.integer(std::abs(number)), kInteger);
}

const Expr* StencilLowering::add(const Expr* a, const Expr* b) {
  return b->kind == Expr::Kind::kInteger && b->integer == 0 ? a : kernel_.infix(a, "+", b, kInteger);
}

Statement StencilLowering::call(const std::string& function, std::vector<const Expr*> arguments) {
  return w_.call(function, std::move(arguments));
}

const Expr* StencilLowering::cell(const Variable* cells, const Expr* row, const Expr* column, DType dtype) {
  const CType type = CType::value(dtype);
  return kernel_.subscript(kernel_.subscript(ref(cells), row, type), column, type);
}

const Expr* StencilLowering::in_array(const StencilAxis& axis, const Expr* place, const Expr* extent) {
  const char* function = axis.border == Border::kAround ? "wrapped_index" : "clamped_index";
  return kernel_.call(function, {place, extent}, kInteger);
}

const Expr* StencilLowering::row_in_array(const Expr* r) {
  return has_rows() ? in_array(stencil_.rows, add(ref(first_row_), r), name("kRows")) : kernel_.integer(0);
}

const Expr* StencilLowering::column_in_array(const Expr* c) {
  return in_array(stencil_.columns, add(ref(first_column_), c), name("kColumns"));
}

const Expr* StencilLowering::offset(const Expr* row, const Expr* column) {
  const Expr* first = nullptr;
  if (batch_ != nullptr) first = has_rows() ? kernel_.infix(batch_, "*", name("kRows"), kInteger) : batch_;
  if (has_rows()) {
    first = first == nullptr ? row : kernel_.infix(first, "+", row, kInteger);
  }
  if (first == nullptr) return column;
  return kernel_.infix(kernel_.infix(first, "*", name("kColumns"), kInteger), "+", column, kInteger);
}

const Expr* StencilLowering::address(const Variable* pointer, const Expr* row, const Expr* column) {
  return kernel_.infix(ref(pointer), "+", offset(row, column), pointer->type);
}

void StencilLowering::write(const Expr* tile, Block* block) {
  if (!kernel_.shared.members.empty()) shared_ = w_.shared(block);
  find_place(tile, block);
  load(block);
  block->push_back(blank());
  Statement steps = w_.counted_loop("step", "", "kSteps");
  if (t_ != nullptr) {
    steps.begin =
        ref(w_.let("first_step", kInteger, kernel_.infix(ref(t_), "*", name("kStepsAtOnce"), kInteger), block));
    const Expr* end = kernel_.infix(steps.begin, "+", name("kStepsAtOnce"), kInteger);
    if (form_.steps % form_.steps_at_once != 0)
      end = kernel_.conditional(less(end, "<", name("kSteps")), end, name("kSteps"));
    steps.value = ref(w_.let("end_step", kInteger, end, block));
  }
  step_ = steps.variable;
  if (has_inner_tiles(stencil_, form_)) find_inner_tiles(block);
  for (const Array& number : numbers_) {
    const CType type = number.cells->type;
    block->push_back({.kind = Kind::kDeclare,
                      .variable = number.cells,
                      .value = kernel_.subscript(ref(number.in), kernel_.integer(0), type)});
  }
  exchange(&steps.body);
  compute(&steps.body);
  block->push_back(std::move(steps));
  block->push_back(blank());
  store(block);
  store_numbers(block);
}

void StencilLowering::store_numbers(Block* block) {
  const auto is_read = [](const Array& number) { return number.out != nullptr; };
  if (std::ranges::none_of(numbers_, is_read)) return;
  const Expr* test = less(kernel_.name_expr("threadIdx.x"), "==", kernel_.integer(0));
  if (tile_ != nullptr) test = w_.both(less(tile_, "==", kernel_.integer(0)), test);
  Statement stores = {.kind = Kind::kIf, .value = test};
  for (const Array& number : numbers_) {
    if (number.out == nullptr) continue;
    const Expr* target = kernel_.subscript(ref(number.out), kernel_.integer(0), number.cells->type);
    stores.body.push_back(w_.assign(target, ref(number.cells)));
  }
  block->push_back(std::move(stores));
}

void StencilLowering::find_place(const Expr* tile, Block* block) {
  const Expr* thread = kernel_.name_expr("threadIdx.x");
  const auto part = [&](const char* called, const char* op) {
    return ref(w_.let(called, kInteger, kernel_.infix(thread, op, kernel_.integer(kWarp), kInteger), block));
  };
  const Expr* warp = form_.warps > 1 ? part("warp", "/") : nullptr;
  const Expr* lane = part("lane", "%");
  if (tiles_of(stencil_, form_) > 1) tile_ = tile = ref(w_.let("tile", kInteger, tile, block));
  const auto begin = [&](const Expr* number, const std::string& own, int64_t around, const char* constant) {
    const Expr* place = kernel_.infix(number, "*", name(own), kInteger);
    return around > 0 ? kernel_.infix(place, "-", name(constant), kInteger) : place;
  };
  if (stencil_.batches() > 1) {
    const Expr* of_batch =
        has_rows() ? kernel_.infix(name("kRowTiles"), "*", name("kColumnTiles"), kInteger) : name("kColumnTiles");
    batch_ = ref(w_.let("batch", kInteger, kernel_.infix(tile, "/", of_batch, kInteger), block));
  }
  if (has_rows()) {
    const Expr* number = kernel_.integer(0);
    if (rows_.tiles > 1) {
      number = columns_.tiles > 1 ? kernel_.infix(tile, "/", name("kColumnTiles"), kInteger) : tile;
      if (batch_ != nullptr) number = kernel_.infix(number, "%", name("kRowTiles"), kInteger);
    }
    const Expr* place = rows_.tiles > 1    ? begin(number, own_rows(), rows_.around, "kRowsAround")
                        : rows_.around > 0 ? name("-kRowsAround")
                                           : number;
    tile_row_ = w_.let("tile_row", kInteger, place, block);
  }
  const Expr* number = tile;
  const bool divided = rows_.tiles > 1 || batch_ != nullptr;
  if (divided) number = kernel_.infix(tile, "%", name("kColumnTiles"), kInteger);
  const Expr* place = columns_.tiles > 1    ? begin(number, own_columns(), columns_.around, "kColumnsAround")
                      : columns_.around > 0 ? name("-kColumnsAround")
                                            : kernel_.integer(0);
  tile_column_ = w_.let("tile_column", kInteger, place, block);
  if (has_rows()) {
    const Expr* of_warp =
        warp == nullptr ? kernel_.integer(0) : kernel_.infix(warp, "*", name("kRowsOfThread"), kInteger);
    first_row_ = w_.let("first_row", kInteger, add(ref(tile_row_), of_warp), block);
  }
  const Expr* of_lane = kernel_.infix(lane, "*", name("kWidth"), kInteger);
  first_column_ = w_.let("first_column", kInteger, kernel_.infix(ref(tile_column_), "+", of_lane, kInteger), block);
}

void StencilLowering::load(Block* block) {
  block->push_back(blank());
  block->push_back(note(beyond_text()));
  for (const Array& array : arrays_) block->push_back({.kind = Kind::kDeclare, .variable = array.cells});
  const Variable* column = nullptr;
  if (is_whole()) {
    // A vector is in the array as a whole, or not at all.
    const Expr* place =
        stencil_.columns.border == Border::kAround
            ? in_array(stencil_.columns, ref(first_column_), name("kColumns"))
            : kernel_.call("clamped_index", {ref(first_column_), name("kColumns - kWidth + 1")}, kInteger);
    column = w_.let("loaded_column", kInteger, place, block);
  }
  for_rows(block, [&](const Expr* r, Block* inner) {
    const Expr* row = kernel_.integer(0);
    if (has_rows()) row = ref(w_.let("row", kInteger, row_in_array(r), inner));
    if (is_whole()) {
      for (const Array& array : arrays_) {
        const Expr* from = kernel_.call("load_vector<kWidth>", {address(array.in, row, ref(column))}, kVoid);
        inner->push_back(call("unpack_row", {from, kernel_.subscript(ref(array.cells), r, kVoid)}));
      }
      return;
    }
    for_columns(inner, [&](const Expr* c, Block* innermost) {
      const Expr* at = ref(w_.let("column", kInteger, column_in_array(c), innermost));
      for (size_t k = 0; k < arrays_.size(); ++k) {
        const DType dtype = stencil_.states[k].dtype;
        innermost->push_back(w_.assign(cell(arrays_[k].cells, r, c, dtype),
                                       kernel_.subscript(ref(arrays_[k].in), offset(row, at), CType::value(dtype))));
      }
    });
  });
}

const Expr* StencilLowering::is_own(const Expr* place, const Variable* tile, const TilesAxis& axis, const char* size,
                                    const char* around, const char* extent) {
  if (axis.around == 0) return axis.tiles * axis.tile == extent_of(axis) ? nullptr : less(place, "<", name(extent));
  const Expr* first = kernel_.infix(ref(tile), "+", name(around), kInteger);
  const Expr* end = kernel_.infix(ref(tile), "+", name(std::string(size) + " - " + around), kInteger);
  const Expr* in_array = axis.tiles * axis.own() == extent_of(axis) ? nullptr : less(place, "<", name(extent));
  return w_.both(w_.both(less(place, ">=", first), less(place, "<", end)), in_array);
}

int64_t StencilLowering::extent_of(const TilesAxis& axis) const {
  return &axis == &rows_ ? stencil_.rows.extent : stencil_.columns.extent;
}

std::string StencilLowering::beyond_text() const {
  const bool around = stencil_.rows.border == Border::kAround || stencil_.columns.border == Border::kAround;
  const bool all = around && (!has_rows() || stencil_.rows.border == stencil_.columns.border);
  if (all) return "The tile. Beyond the border, the array begins again.";
  if (is_mirrored()) return "The tile. Beyond the border anything, until a step puts there what is mirrored.";
  return around ? "The tile. Beyond the border along one dimension the array begins again; along the other, anything."
                : "The tile. Beyond the border anything: no step looks there.";
}

void StencilLowering::store(Block* block) {
  if (rows_.around + columns_.around > 0) block->push_back(note("The inner part."));
  for_rows(block, [&](const Expr* r, Block* inner) {
    const Expr* row = kernel_.integer(0);
    const Expr* own_row = nullptr;
    if (has_rows()) {
      row = ref(w_.let("row", kInteger, add(ref(first_row_), r), inner));
      own_row = is_own(row, tile_row_, rows_, "kTileRows", "kRowsAround", "kRows");
    }
    const auto own_column = [&](const Expr* column) {
      return is_own(column, tile_column_, columns_, "kTileColumns", "kColumnsAround", "kColumns");
    };
    const auto put = [&](const Expr* test, Block stores, Block* to) {
      if (test == nullptr) {
        to->insert(to->end(), stores.begin(), stores.end());
      } else {
        to->push_back({.kind = Kind::kIf, .value = test, .body = std::move(stores)});
      }
    };
    Block stores;
    if (is_whole()) {
      for (const Array& array : arrays_) {
        if (array.out == nullptr) continue;
        const Expr* packed = kernel_.call("pack_row", {kernel_.subscript(ref(array.cells), r, kVoid)}, kVoid);
        stores.push_back(call("store_vector", {address(array.out, row, ref(first_column_)), packed}));
      }
      put(w_.both(own_row, own_column(ref(first_column_))), std::move(stores), inner);
      return;
    }
    Block columns;
    for_columns(&columns, [&](const Expr* c, Block* innermost) {
      const Expr* column = ref(w_.let("column", kInteger, add(ref(first_column_), c), innermost));
      for (size_t k = 0; k < arrays_.size(); ++k) {
        if (arrays_[k].out == nullptr) continue;
        const DType dtype = stencil_.states[k].dtype;
        stores.push_back(w_.assign(kernel_.subscript(ref(arrays_[k].out), offset(row, column), CType::value(dtype)),
                                   cell(arrays_[k].cells, r, c, dtype)));
      }
      put(own_column(column), std::move(stores), innermost);
    });
    put(own_row, std::move(columns), inner);
  });
}

LoweredStage lower_stencil(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<StencilDemand> demand = demand_stencil(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the stencil has no form");
  return StencilLowering(input, *demand).run();
}

}  // namespace sinter
