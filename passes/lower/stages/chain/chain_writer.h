// Writes a chain's kernel: the text that is the same in all programs (chain_text.h) around what a program decides:
// where operands come from, what weights are made by (chain_weights.cpp), which columns count, and what is made of
// results.
#pragma once

#include <map>
#include <string>

#include "passes/lower/stages/attend/row_loads.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/chain/chain_text.h"

namespace sinter {

class ChainWriter {
 public:
  ChainWriter(const StageInput& input, const ChainStage& stage);

  LoweredStage run();

 private:
  using Kind = Statement::Kind;
  using Product = TensorCoreForm::Product;
  static inline const CType kFloat = CType::value(DType::kF32);

  const Expr* name(const std::string& spelling) { return kernel_.name_expr(spelling, w_.index); }
  const Expr* reference(const Variable* variable) { return kernel_.reference(variable); }
  const Expr* below(const Variable* variable, const char* limit) {
    return kernel_.infix(reference(variable), "<", name(limit), kPred);
  }
  static void blank(Block* block) { block->push_back({.kind = Kind::kBlank}); }
  std::map<int, const Expr*> coordinates(const Expr* row, const Expr* column) {
    return {{kChainBatch, batch_}, {kChainRow, row}, {kChainColumn, column}};
  }
  void constant(const std::string& name, const std::string& value, const std::string& comment = "") {
    kernel_.constants.push_back({name, "int", value, comment});
  }
  void constant(const std::string& name, int64_t value, const std::string& comment = "") {
    constant(name, std::to_string(value), comment);
  }

  int64_t row_tiles() const;
  bool whole_rows() const { return chain_.rows % form_.rows == 0; }
  bool whole_columns() const { return chain_.columns % form_.columns == 0; }
  bool splits() const { return chain_.product == Product::k3xTf32; }

  // Exponentials of what is rounded to fewer bits are made by one instruction.
  bool takes_exponentials() const;
  void add_constants();
  void add_headers();
  std::string spread() const;
  void write(const Tile& tile, Block* body);
  void find_rows(const Expr* tile, Block* body);

  RowLoads loads_of(const ContractOperand& operand, const TileCopy* copy, size_t tile) const;
  void load_features_of_rows(Block* body);
  Statement copy_tile();

  // The tiles whose columns count, where others are left out: `first_tile` up to `end_tile`.
  void add_counted_tiles(Block* body);
  std::string first_tile() const { return chain_.weighed && chain_.weighed->first ? "first_tile" : "0"; }
  std::string end_tile() const { return chain_.weighed && chain_.weighed->last ? "end_tile" : "kTiles"; }
  void add_conditions(Block* body);
  const Expr* column_of(const IndexExpr& column, const Expr* row);

  void walk_tiles(Block* body);
  bool takes_turns() const { return chain_.is_softmax() && chain_.weighed.has_value(); }
  void leave_where_nothing_counts(Block* block);
  void take_tile(Block* block);
  // The weights of a tile's pairs; of reductions also their sum, or the largest; of a softmax its scores.
  Statement add_weights();
  Statement add_others();
  void store_result(size_t number, Block* body);

  const StageInput& input_;
  const ChainStage& stage_;
  const ChainDemand& chain_;
  const ChainForm& form_;
  ChainText text_;
  StageWriter w_;
  Kernel& kernel_;
  const Expr* batch_ = nullptr;
  const Variable* first_row_ = nullptr;
};

}  // namespace sinter
