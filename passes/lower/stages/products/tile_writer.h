// What the writers of products in tiles have in common, on tensor cores (tensor_core_writer.h) and without them
// (lower_simt.cpp): the coordinates of a block's tile and of its operands' elements, and what is made of the tile's
// sums, which lie in shared memory at `sum_at(row, column)`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/products/statistics_writer.h"
#include "passes/stages/products/contract.h"

namespace sinter {

class TileWriter {
 protected:
  // A tile of tile_m x tile_n results.
  TileWriter(const StageInput& input, const ContractDemand& demand, int64_t tile_m, int64_t tile_n);
  ~TileWriter() = default;

  // Where blocks make statistics of the tile's rows or columns: what they are called (`names`: what the form's own text
  // declares), their constants and headers, their statements, and the numbers that an element of operand `side` reads.
  void begin_statistics(const std::set<std::string>& names);
  void add_statistics_constants();
  void add_statistics_of_tile(Block* body);
  void read_statistics(size_t side, const Variable* outer, Expressions* expressions);

  bool whole_rows() const { return extents_.m % tile_m_ == 0; }
  bool whole_columns() const { return extents_.n % tile_n_ == 0; }

  static void blank(Block* block) { block->push_back({.kind = Statement::Kind::kBlank}); }
  const Expr* name(const std::string& spelling) { return kernel_.name_expr(spelling, w_.index); }
  const Expr* below(const Variable* coordinate, const char* limit);

  void constant(const char* what, const std::string& value, const std::string& comment = "");
  void constant(const char* what, int64_t value, const std::string& comment = "");
  // kBatch, kM, kN, kK, and the sides of a tile.
  void add_extents(int64_t tile_k);
  // "kM / kTileM", or what rounds up.
  static std::string count_spelling(bool is_whole, const std::string& extent, const std::string& tile);
  void add_tile_counts();
  bool in_parts() const { return demand_.parts.count > 1 && !apart(); }
  bool apart() const { return demand_.parts.apart; }  // products side by side
  bool has_empty_parts() const { return demand_.parts.empty > 0; }
  const char* number_of_parts() const { return has_empty_parts() ? "kFull" : "kParts"; }
  bool in_pairs() const { return demand_.partner > 0; }  // a result is made of its column's sum and a partner's
  bool has_matrices() const { return !demand_.matrices.empty(); }  // a matrix for each part
  // kParts, kPart, kRun, and where, among the sums that results are made of, those of parts are.
  void add_parts(int64_t run, const std::string& column_of);
  void add_parts() { add_parts(demand_.parts.run, "(j / kRun * kParts + part) * kRun + j % kRun"); }
  // Of products side by side: kParts and kPart.
  void add_parts_apart();
  // What the sums of the tile are called.
  std::string name_of_sums() const;
  // Of parts with a matrix each: what operand `side` loads at a column.
  void choose_matrices_at(size_t side, const Variable* column, Expressions* expressions, Block* block);
  // What the kernel's opening comment says of them; empty where they are one.
  std::string parts_text() const;
  // The threads of a block, and the part of a tile that a warp of them has.
  void add_warps(int64_t warp_m, int64_t warp_n);
  // That what is not tested is whole; `whole_k`: the condition, if k is.
  void assert_whole(const std::string& whole_k);

  // The kernel, added to the stage: `write` gives a tile's statements, `spread` says how threads share them.
  void add_tiles(const LaunchDimensions& tiles, std::string spread,
                 std::function<void(const Tile& tile, Block* block)> write, LoweredStage* stage);

  // Whether so many neighbours along the coordinate can be loaded in one access.
  static bool is_vector_load(const DemandGraph& graph, const DemandNode& load, int coordinate, int64_t width);

  // Which tile it is: of rows, of columns, of the batch; all are counted along x where a grid has too many.
  struct TilePlace {
    const Expr* first[2];
    const Expr* batch;
  };
  TilePlace place_of(const Tile& tile);
  void add_first(const TilePlace& place, const Expr* batch, Block* body);

  std::map<int, const Expr*> coordinates_of(const ContractOperand& operand, const Variable* outer, const Variable* k);
  void name_extents(size_t side, Expressions* expressions) const;
  // nullptr: it cannot be outside.
  const Expr* inside(size_t side, const Variable* outer, const Variable* k);

  // Where sums lie that results are made of, and who makes them: some threads, of a part of the tile.
  struct Sums {
    DType dtype;
    std::string array = "shared.sums";                    // element (i, j) of the part: [sum_at(i, j)]
    std::string rows = "kTileM", columns = "kTileN";      // of the part
    int64_t columns_count = 0;                            // as a number
    std::string thread = "thread", threads = "kThreads";  // the number of a thread, and how many there are
    int64_t threads_count = 0;
    std::string row, column;  // where the part begins in the tile; empty: at its first
    // Of results that are made of two columns: whether the part's columns are in halves, one of each pair's first
    // columns and one of their partners.
    bool in_halves = false;
    // Other values of each result, by their number among the products (ContractDemand::Product).
    struct Value {
      int64_t part = 0;
      DType dtype;
      std::string array, name;
    };
    std::vector<Value> values = {};
  };
  // What follows the product: neighbours by neighbouring threads, several side by side a thread where stores allow it.
  // `check`: what is done with a sum first, if anything; it stands at the product's row and column.
  // Of parts with a matrix each: at the matrix's own column, and `part` says which; else `part` is nullptr.
  using CheckSum =
      std::function<void(const Expr* sum, const Variable* row, const Variable* column, const Expr* part, Block* block)>;
  void add_results(const Sums& sums, const CheckSum& check, Block* body);
  Sums sums_of_block(DType dtype) const;

  StageWriter w_;
  Kernel& kernel_;
  const ContractDemand& demand_;
  const ContractExtents extents_;
  const int64_t tile_m_, tile_n_;
  const int64_t threads_;
  const ContractGrid grid_;
  const std::optional<ConvolutionMatrices> convolution_;  // of a dot none
  bool whole_k_ = true;                                   // k tiles are
  Variable* k_end_ = nullptr;  // behind the last term of a k tile, where it is another than kK
  Variable* batch_ = nullptr;
  Variable* first_[2] = {nullptr, nullptr};  // row and column of the tile
  Variable* piece_ = nullptr;                // which piece of its rows the tile is, where these are longer
  StatisticsText statistics_;

 private:
  int64_t row_results() const { return demand_.parts.size; }
  const char* results_limit() const { return demand_.parts.count > 1 ? "kPart" : "kN"; }
  // What follows the sums: of products side by side what follows that whose statements are being written.
  const DemandGraph& after() const { return results_ != nullptr ? *results_->graph : *demand_.epilogue; }
  const ContractDemand::PartResults* results_ = nullptr;
  Variable* part_column_ = nullptr;  // where the tile begins in that product
  bool reduces_rows() const { return !demand_.rows.empty(); }
  // Results of a thread, side by side: so many let each store, of that many, be one access.
  int64_t results_side_by_side(const Sums& sums) const;
  // Where a vector begins; a place among rows of several arrays has a name, which all that begin there share.
  const Expr* vector_address(const Variable* pointer, const IndexExpr& offset, Expressions* expressions, Block* block);
  std::map<IndexExpr, const Variable*> places_;  // of these, in the statements of one row of results
  // Reads that are made in one access, in front of the results that need them; stores, behind.
  void load_vectors(int64_t width, Expressions* expressions, Block* block);
  Block vector_stores(int64_t width, Expressions* expressions, Block* declarations);
  // Of what follows the sums: whether it reads those of partners.
  bool reads_partners() const;
  // The statements of one result, of one sum, or one of each part: `part` is nullptr, or which. `partner`: the sum of
  // the column's partner, or nullptr.
  using SumOfPart = std::function<const Expr*(const Expr* part)>;
  void add_result(const Sums& sums, const SumOfPart& sum_of, const Expr* partner, const CheckSum& check,
                  const Variable* row, const Variable* column, Expressions* expressions, Block* block);
  void add_sum(const Sums& sums, const Expr* sum, bool is_partner, const CheckSum& check, const Variable* row,
               const Variable* column, Expressions* expressions, Block* block);
  void add_sums_of_parts(const Sums& sums, const SumOfPart& sum_of, const CheckSum& check, const Variable* row,
                         const Variable* column, Expressions* expressions, Block* block);
  // A sum as the product's type has it.
  const Expr* rounded(const Expr* sum, Expressions* expressions);
  // `row_of_tile`: the row's number among those of the tile.
  Expressions results_at(const Variable* row, const Variable* column, const Expr* row_of_tile);
  void add_results_apart(const Sums& sums, const CheckSum& check, Block* body);
  void add_elements(const Sums& sums, const CheckSum& check, Block* body);
  // tile_rows.cpp: what is reduced of the tile's rows, and stored of each.
  void add_reductions(const Sums& sums, const CheckSum& check, Block* body);
  void check_sums(const Sums& sums, const CheckSum& check, Block* body);
  void add_row_stores(Block* body);
  const Expr* sum_of_tile(const Sums& sums, const Expr* i, const Expr* j);
};

}  // namespace sinter
