// The writer of a stencil's kernel: what stands around its steps (lower_stencil.cpp), and a step
// (write_stencil_step.cpp). Only these include it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/stages/stencil/stencil_stage.h"

namespace sinter {

class StencilLowering {
 public:
  StencilLowering(const StageInput& input, const StencilDemand& demand)
      : input_(input),
        demand_(demand),
        stencil_(demand.stencil),
        form_(demand.form),
        rows_(tile_rows(stencil_, form_)),
        columns_(tile_columns(stencil_, form_)),
        w_(input, "", DType::kS32),
        kernel_(w_.kernel) {}

  LoweredStage run();

 private:
  using Kind = Statement::Kind;

  struct Array {
    Variable* in = nullptr;
    Variable* out = nullptr;    // nullptr: nobody reads what comes of it
    Variable* cells = nullptr;  // or the number
    std::string name;
  };

  bool has_rows() const { return stencil_.rows.extent > 1; }
  bool is_whole() const { return stencil_.columns.extent % form_.width == 0; }
  bool is_mirrored() const;
  static bool looks_around(const Stencil::State& state) { return state.rows_around + state.columns_around > 0; }

  // ---- what stands around the statements ----

  void add_arrays();

  static std::string type_name(const Stencil::State& state) { return cuda(state.dtype); }
  // Cells<float, kRowsOfThread, kWidth, 1, 1>
  static std::string cells_type(const Stencil::State& state, bool alone = false);

  void add_constants();
  std::string own_rows() const { return rows_.around > 0 ? "kTileRows - 2 * kRowsAround" : "kTileRows"; }
  std::string own_columns() const { return columns_.around > 0 ? "kTileColumns - 2 * kColumnsAround" : "kTileColumns"; }

  // Whether warps read rows of each other.
  bool shares(const Stencil::State& state) const { return is_mirrored() ? looks_around(state) : state.rows_around > 0; }

  void add_shared();

  std::vector<std::string> description() const;

  // ---- statements ----

  const Expr* name(const std::string& text) { return kernel_.name_expr(text, kInteger); }
  const Expr* ref(const Variable* variable) { return kernel_.reference(variable); }
  const Expr* plus(const Expr* a, int64_t number);
  const Expr* add(const Expr* a, const Expr* b);
  const Expr* less(const Expr* a, const std::string& op, const Expr* b) { return kernel_.infix(a, op, b, kPred); }
  Statement call(const std::string& function, std::vector<const Expr*> arguments);
  static Statement blank() { return {.kind = Kind::kBlank}; }
  static Statement note(std::string text) { return {.kind = Kind::kComment, .text = std::move(text)}; }

  const Expr* cell(const Variable* cells, const Expr* row, const Expr* column, DType dtype);

  // for (int r = 0; r < kRowsOfThread; ++r), unrolled, or what it does once.
  template <class Write>
  void for_each(const char* counter, const char* count, int64_t extent, Block* block, const Write& write) {
    if (extent == 1) return write(kernel_.integer(0), block);
    Statement loop = w_.counted_loop(counter, "", count);
    loop.unroll = Statement::kUnrollFully;
    write(ref(loop.variable), &loop.body);
    block->push_back(std::move(loop));
  }
  template <class Write>
  void for_rows(Block* block, const Write& write) {
    for_each("r", "kRowsOfThread", form_.rows_of_thread, block, write);
  }
  template <class Write>
  void for_columns(Block* block, const Write& write) {
    for_each("c", "kWidth", form_.width, block, write);
  }

  // A row or column of a tile as one of the array, wherever it is.
  const Expr* in_array(const StencilAxis& axis, const Expr* place, const Expr* extent);
  const Expr* row_in_array(const Expr* r);
  const Expr* column_in_array(const Expr* c);

  // u_in + (row * kColumns + column), or u_in[row * kColumns + column].
  const Expr* offset(const Expr* row, const Expr* column);
  const Expr* address(const Variable* pointer, const Expr* row, const Expr* column);

  void write(const Expr* tile, Block* block);

  // One thread of all does.
  void store_numbers(Block* block);

  // Where the thread's elements are in the array.
  void find_place(const Expr* tile, Block* block);

  void load(Block* block);

  // const bool is_inside = tile_row >= 1 && tile_row + kTileRows < kRows && ...
  void find_inner_tiles(Block* block);

  const Expr* shared_rows(size_t k);

  void exchange(Block* block);

  // Of tiles that reach beyond the border.
  void mirror(Block* block);

  void compute(Block* block);

  void spell_numbers(const Stencil& stencil, Expressions* expressions);

  // What a step makes of the numbers, in names of their own: its elements read them as they are.
  std::vector<const Expr*> next_of_numbers(Block* block);

  // The next elements of a thread; `inside`: of a tile whose elements are all in the array.
  void make_step(const Stencil& stencil, bool inside, const std::vector<Variable*>& next, Block* block);

  // What is dear and the same for all elements is computed in front of them: sin(time) of a source. Loads that a test
  // stands around stay behind it.
  void compute_common(const Stencil& stencil, Block* block);

  // Whether a node may be such, if all that it is computed from is.
  static bool may_be_common(const Stencil& stencil, NodeId id);
  static bool is_dear(const DemandGraph& graph, NodeId id);

  void spell_step(const DemandGraph& graph, Expressions* expressions);

  struct Place {
    const Expr *row, *column;
  };
  // What the states come to at a place of the array, and of the thread's elements.
  std::vector<const Expr*> values_at(const Stencil& stencil, const Place& place, const Place& own, Block* text);

  // Whether a place is of those that the tile stores.
  const Expr* is_own(const Expr* place, const Variable* tile, const TilesAxis& axis, const char* size,
                     const char* around, const char* extent);
  int64_t extent_of(const TilesAxis& axis) const;

  // What the tile has where the array has nothing.
  std::string beyond_text() const;

  void store(Block* block);

  const StageInput& input_;
  const StencilDemand& demand_;
  const Stencil& stencil_;
  const TilesForm& form_;
  const TilesAxis rows_, columns_;
  StageWriter w_;
  Kernel& kernel_;
  std::vector<Array> arrays_, numbers_;  // by state; by number
  const Variable* t_ = nullptr;
  const Variable* shared_ = nullptr;
  const Variable* step_ = nullptr;
  std::map<std::pair<const Stencil*, NodeId>, const Expr*> common_;  // nodes that are the same for all elements
  const Variable* is_inside_ = nullptr;                              // nullptr: nothing asks
  const Expr* batch_ = nullptr;
  const Expr* tile_ = nullptr;  // nullptr: there is one
  const Variable *tile_row_ = nullptr, *tile_column_ = nullptr, *first_row_ = nullptr, *first_column_ = nullptr;
};

}  // namespace sinter
