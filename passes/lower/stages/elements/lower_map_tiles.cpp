// Maps in tiles: a block reads what lies across its stores as it lies in memory, into shared memory, and computes its
// elements from there.
//
//   const int first_row = blockIdx.x / kColumnTiles * kTileRows;
//   const int first_column = blockIdx.x % kColumnTiles * kTileColumns;
//   for (int k = 0; k < kPerThread; ++k) {
//     const int place = k * kThreads + threadIdx.x;
//     const int tile_row = place % kTileRows;
//     const int tile_column = place / kTileRows;
//     shared.x[tile_column * kPitch + tile_row] = x[(first_column + tile_column) * kRows + first_row + tile_row];
//   }
//   __syncthreads();
//   for (int k = 0; k < kPerThread; ++k) { ... place / kTileColumns, place % kTileColumns: y[row * kColumns + column] }
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/elements/lower_elements.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/name_terms.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/schedule/cost/work.h"

namespace sinter {

namespace {

// Statements of an element that are written out for each of a thread's, so that their stores do not wait for each
// other's.
constexpr size_t kFewNodes = 24;

class MapTilesWriter {
 public:
  MapTilesWriter(const StageInput& input, MapDemand demand, const MapTiles& tiles)
      : demand_(std::move(demand)),
        graph_(*demand_.graph),
        tiles_(tiles),
        writer_(input, "", tiles.wide ? DType::kS64 : DType::kS32),
        kernel_(writer_.kernel),
        pairs_(elementwise_pairs(graph_, /*rows=*/false)) {
    kernel_.work = map_tiles_work(demand_, tiles_);
    const std::vector<int> coordinates = collapse_coordinates(&graph_, demand_.coordinates);
    for (size_t c = 0; c < coordinates.size(); ++c) tiles_.coordinates[c].fastest = coordinates[c];
  }

  LoweredStage run() {
    writer_.add_values(graph_, writer_.input.values.outputs);
    writer_.add_counter(graph_);
    add_constants();
    add_shared();
    StageBody body;
    body.set_tiles(kMapTileThreads, tiles_.tiles, several_outer() ? "kTiles" : outer_tiles("kRowTiles * kColumnTiles"));
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
    body.graph = &graph_;
    body.pairs = pairs_;
    body.elements = demand_.threads;
    body.spread = "A tile of " + std::to_string(tiles_.rows) + " rows and " + std::to_string(tiles_.columns) +
                  " columns a block of " + std::to_string(kMapTileThreads) + " threads.";
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&writer_, body, &stage));
    return stage;
  }

 private:
  // Of places in a tile, and of tiles: ints, whatever places in arrays are.
  const Expr* infix(const Expr* a, const std::string& op, const Expr* b) { return kernel_.infix(a, op, b, kInteger); }
  // Coordinates that are neither a tile's rows nor its columns.
  size_t outer() const { return tiles_.coordinates.size() - 2; }
  bool several_outer() const { return outer() > 1; }
  std::string outer_tiles(const std::string& tiles) const { return outer() == 1 ? "kBatch * " + tiles : tiles; }
  int64_t outer_extent() const { return demand_.threads / (tiles_.of_rows().extent * tiles_.of_columns().extent); }
  bool has_whole_rows() const { return tiles_.of_rows().extent % tiles_.rows == 0; }
  bool has_whole_columns() const { return tiles_.of_columns().extent % tiles_.columns == 0; }
  bool has_whole_places() const { return tiles_.rows * tiles_.columns % kMapTileThreads == 0; }
  bool has_one_pitch() const {
    return std::ranges::all_of(tiles_.loads, [&](NodeId load) { return pitch(load) == pitch(tiles_.loads[0]); });
  }
  int64_t pitch(NodeId load) const { return tile_pitch(tiles_.rows, graph_.nodes[load].dtype); }
  std::string pitch_name(NodeId load) const { return has_one_pitch() ? "kPitch" : std::to_string(pitch(load)); }

  void add_constants() {
    if (outer() == 1) writer_.constexpr_int("kBatch", outer_extent());
    writer_.constexpr_int("kRows", tiles_.of_rows().extent);
    writer_.constexpr_int("kColumns", tiles_.of_columns().extent);
    writer_.constexpr_int("kTileRows", tiles_.rows);
    writer_.constexpr_int("kTileColumns", tiles_.columns);
    writer_.constexpr_int("kRowTiles", tiles_.row_tiles,
                          has_whole_rows() ? "kRows / kTileRows" : "(kRows + kTileRows - 1) / kTileRows");
    writer_.constexpr_int(
        "kColumnTiles", tiles_.column_tiles,
        has_whole_columns() ? "kColumns / kTileColumns" : "(kColumns + kTileColumns - 1) / kTileColumns");
    if (several_outer()) writer_.constexpr_int("kTiles", tiles_.tiles);
    if (has_one_pitch()) {
      writer_.constexpr_int("kPitch", pitch(tiles_.loads[0]), "",
                            "of a tile's columns in shared memory: neighbours begin in other banks");
    }
    writer_.constexpr_int("kThreads", kMapTileThreads);
    writer_.constexpr_int("kPerThread", ceil_div(tiles_.rows * tiles_.columns, kMapTileThreads),
                          has_whole_places() ? "kTileRows * kTileColumns / kThreads"
                                             : "(kTileRows * kTileColumns + kThreads - 1) / kThreads");
  }

  void add_shared() {
    for (const NodeId load : tiles_.loads) {
      const DemandNode& node = graph_.nodes[load];
      std::string name = writer_.inputs.at(node.instruction)->name;
      const auto is_taken = [&](const std::string& taken) { return std::ranges::count(members_, taken) > 0; };
      for (int number = 2; is_taken(name); ++number)
        name = writer_.inputs.at(node.instruction)->name + "_" + std::to_string(number);
      members_.push_back(name);
      kernel_.shared.members.push_back(
          {.name = name, .dtype = node.dtype, .dims = {"kTileColumns * " + pitch_name(load)}});
    }
    kernel_.shared.bytes = tiles_.shared_bytes;
  }

  void write(const Expr* tile, Block* block) {
    shared_ = writer_.shared(block);
    find_tile(tile, block);
    block->push_back({.kind = Statement::Kind::kBlank});
    block->push_back({.kind = Statement::Kind::kNote, .text = "The tile, as it is read: rows are neighbours."});
    block->push_back(over_places("kTileRows", true, [&](Block* body) {
      Expressions expressions = expressions_of();
      for (size_t i = 0; i < tiles_.loads.size(); ++i) {
        const DemandNode& load = graph_.nodes[tiles_.loads[i]];
        const Expr* element = expressions.element(writer_.inputs.at(load.instruction), load.expr, load.dtype);
        body->push_back(writer_.assign(in_tile(i), element));
      }
    }));
    block->push_back(writer_.barrier());
    block->push_back({.kind = Statement::Kind::kBlank});
    block->push_back({.kind = Statement::Kind::kNote, .text = "As it is stored: columns are."});
    const bool unrolled = graph_.nodes.size() <= kFewNodes;
    block->push_back(over_places("kTileColumns", unrolled, [&](Block* body) { write_elements(body); }));
  }

  // const int first_row = ..., first_column = ...; and what tells the tiles of other coordinates apart.
  void find_tile(const Expr* tile, Block* block) {
    const Expr* column_tiles = kernel_.name_expr("kColumnTiles");
    const Expr* row_tiles = kernel_.name_expr("kRowTiles");
    const bool by_column = tiles_.column_tiles > 1, by_row = tiles_.row_tiles > 1;
    const Expr* rest = by_column ? infix(tile, "/", column_tiles) : tile;
    const Expr* column = kernel_.integer(0);
    if (by_column) {
      column = infix(infix(tile, "%", column_tiles), "*", kernel_.name_expr("kTileColumns"));
      first_column_ = writer_.let("first_column", writer_.index, column, block);
    }
    if (by_row) {
      const Expr* row = outer() > 0 ? infix(rest, "%", row_tiles) : rest;
      row = infix(row, "*", kernel_.name_expr("kTileRows"));
      first_row_ = writer_.let("first_row", writer_.index, row, block);
      rest = infix(rest, "/", row_tiles);
    }
    if (outer() == 0) return;
    const Expr* batch = kernel_.reference(writer_.let("batch", writer_.index, rest, block));
    int64_t below = 1;
    size_t left = outer();
    for (size_t c = tiles_.coordinates.size() - 1; c-- > 0;) {
      if (c == tiles_.row) continue;
      const Expr* value = below == 1 ? batch : writer_.infix(batch, "/", kernel_.integer(below));
      const int64_t extent = tiles_.coordinates[c].extent;
      if (--left > 0) value = writer_.infix(value, "%", kernel_.integer(extent));
      if (outer() > 1)
        value =
            kernel_.reference(writer_.let(std::string(1, static_cast<char>('i' + left)), writer_.index, value, block));
      outer_places_[tiles_.coordinates[c].fastest] = value;
      below *= extent;
    }
  }

  // A loop over the tile's places that a thread has, of which those along `side` are neighbours.
  template <class Fill>
  Statement over_places(const char* side, bool unrolled, const Fill& fill) {
    Statement loop = writer_.counted_loop("k", "", "kPerThread");
    if (unrolled) loop.unroll = Statement::kUnrollFully;
    const Expr* counted = infix(kernel_.reference(loop.variable), "*", kernel_.name_expr("kThreads"));
    const Expr* place = kernel_.reference(
        writer_.let("place", kInteger, infix(counted, "+", kernel_.name_expr("threadIdx.x")), &loop.body));
    const bool along_rows = std::string(side) == "kTileRows";
    const Expr* inner = infix(place, "%", kernel_.name_expr(side));
    const Expr* outer = infix(place, "/", kernel_.name_expr(side));
    tile_row_ = kernel_.reference(writer_.let("tile_row", kInteger, along_rows ? inner : outer, &loop.body));
    tile_column_ = kernel_.reference(writer_.let("tile_column", kInteger, along_rows ? outer : inner, &loop.body));
    row_ = in_array("row", first_row_, tile_row_, &loop.body);
    column_ = in_array("column", first_column_, tile_column_, &loop.body);
    const Expr* condition = nullptr;
    // Places beyond the tile are beyond the array, where that has no tile further on.
    if (!has_whole_places()) {
      condition = kernel_.infix(along_rows ? tile_column_ : tile_row_, "<",
                                kernel_.name_expr(along_rows ? "kTileColumns" : "kTileRows"), kPred);
    }
    if (!has_whole_rows()) condition = writer_.both(condition, is_below(row_, "kRows"));
    if (!has_whole_columns()) condition = writer_.both(condition, is_below(column_, "kColumns"));
    if (condition == nullptr) {
      fill(&loop.body);
    } else {
      Statement guarded = {.kind = Statement::Kind::kIf, .value = condition};
      fill(&guarded.body);
      loop.body.push_back(std::move(guarded));
    }
    return loop;
  }

  const Expr* is_below(const Expr* place, const char* extent) {
    return kernel_.infix(place, "<", kernel_.name_expr(extent), kPred);
  }
  const Expr* in_array(const char* name, const Variable* first, const Expr* place, Block* block) {
    if (first == nullptr) return writer_.wide(place);
    const Expr* sum = writer_.infix(kernel_.reference(first), "+", place);
    return kernel_.reference(writer_.let(name, writer_.index, sum, block));
  }

  // shared.x[tile_column * kPitch + tile_row]
  const Expr* in_tile(size_t i) {
    const NodeId load = tiles_.loads[i];
    const CType type = CType::value(graph_.nodes[load].dtype);
    const Expr* start = infix(tile_column_, "*", kernel_.name_expr(pitch_name(load)));
    return kernel_.subscript(kernel_.member(kernel_.reference(shared_), members_[i], type),
                             infix(start, "+", tile_row_), type);
  }

  Expressions expressions_of() {
    std::map<int, const Expr*> coordinates = outer_places_;
    coordinates[tiles_.of_rows().fastest] = row_;
    coordinates[tiles_.of_columns().fastest] = column_;
    Expressions expressions = writer_.expressions_of(graph_, coordinates);
    expressions.along_rows.push_back({tiles_.of_columns().fastest, tiles_.of_columns().extent, "kColumns"});
    expressions.along_rows.push_back({tiles_.of_rows().fastest, tiles_.of_rows().extent, "kRows"});
    return expressions;
  }

  // What is made of what is in the tile; its loads are none meanwhile.
  void write_elements(Block* body) {
    Expressions expressions = expressions_of();
    std::vector<DemandNode> loads;
    for (size_t i = 0; i < tiles_.loads.size(); ++i) {
      DemandNode& node = graph_.nodes[tiles_.loads[i]];
      loads.push_back(node);
      node.kind = DemandNode::Kind::kParameter;
      node.expr = IndexExpr();
      const Expr* value = in_tile(i);
      if (readers(tiles_.loads[i]) > 1) {
        expressions.variables[tiles_.loads[i]] =
            writer_.let(members_[i] + "_value", CType::value(node.dtype), value, body);
      } else {
        expressions.members[tiles_.loads[i]] = value;
      }
    }
    const Block statements = write_block(writer_.input.module, graph_, expressions, {});
    body->insert(body->end(), statements.begin(), statements.end());
    for (size_t i = 0; i < tiles_.loads.size(); ++i) graph_.nodes[tiles_.loads[i]] = loads[i];
  }

  int64_t readers(NodeId load) const {
    int64_t count = 0;
    for (const DemandNode& node : graph_.nodes) count += std::count(node.operands.begin(), node.operands.end(), load);
    for (const DemandStore& store : graph_.stores) count += store.node == load;
    return count;
  }

  MapDemand demand_;
  DemandGraph& graph_;
  MapTiles tiles_;
  StageWriter writer_;
  Kernel& kernel_;
  const std::vector<ElementwisePair> pairs_;  // of arrays that are read where they lie
  std::vector<std::string> members_;          // of shared memory, in the order of the loads
  const Variable* shared_ = nullptr;
  const Variable* first_row_ = nullptr;     // nullptr: a tile has all rows
  const Variable* first_column_ = nullptr;  // likewise
  std::map<int, const Expr*> outer_places_;
  const Expr* tile_row_ = nullptr;
  const Expr* tile_column_ = nullptr;
  const Expr* row_ = nullptr;
  const Expr* column_ = nullptr;
};

}  // namespace

LoweredStage lower_map_tiles(const StageInput& input, MapDemand demand, const MapTiles& tiles) {
  return MapTilesWriter(input, std::move(demand), tiles).run();
}

}  // namespace sinter
