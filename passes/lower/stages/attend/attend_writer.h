// Writes an attention's kernel: the text that is the same in all programs (attend_text.h) around what a program
// decides: where queries, keys and values come from (attend_loads.cpp), what is made of a product to be a score, which
// keys are hidden from a query (attend_scores.cpp), and what is made of a result.
#pragma once

#include <map>
#include <string>

#include "ir/support/ceil_div.h"
#include "passes/lower/stages/attend/attend_text.h"
#include "passes/lower/stages/attend/row_loads.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/stages/attend/attend_stage.h"

namespace sinter {

class AttendWriter {
 public:
  AttendWriter(const StageInput& input, const AttendDemand& demand, const AttendForm& form);

  LoweredStage run();

 private:
  using Kind = Statement::Kind;
  using Product = TensorCoreForm::Product;
  static inline const CType kFloat = CType::value(DType::kF32);

  int64_t elements_of_copy(size_t operand) const {
    return attention_.copies[operand] ? attention_.copies[operand]->elements : 1;
  }
  std::string copy_spelling(size_t operand) const {
    const int64_t elements = elements_of_copy(operand);
    return elements == form_.chunk ? "kChunk" : std::to_string(elements);
  }

  int64_t row_tiles() const { return attention_.batch * ceil_div(attention_.rows, form_.rows); }
  // Where warps divide keys: the block has all rows.
  bool has_one_tile() const { return form_.by_keys && row_tiles() == attention_.batch; }
  // Of a row of the block.
  const Expr* query_of(const Expr* row) {
    return first_query_ == nullptr ? w_.wide(row) : w_.infix(reference(first_query_), "+", row);
  }
  bool whole_queries() const { return attention_.rows % form_.rows == 0; }
  bool whole_keys() const { return attention_.keys % form_.keys == 0; }

  void constant(const char* name, const std::string& value, const std::string& comment = "") {
    kernel_.constants.push_back({name, "int", value, comment});
  }
  void constant(const char* name, int64_t value, const std::string& comment = "") {
    constant(name, std::to_string(value), comment);
  }

  void add_constants();
  void add_parts_parameters(LoweredStage* stage);
  void add_headers();
  std::string spread() const;

  const Expr* name(const std::string& spelling) { return kernel_.name_expr(spelling, w_.index); }
  const Expr* reference(const Variable* variable) { return kernel_.reference(variable); }
  const Expr* below(const Variable* variable, const char* limit) {
    return kernel_.infix(reference(variable), "<", name(limit), kPred);
  }
  static void blank(Block* block) { block->push_back({.kind = Kind::kBlank}); }
  std::map<int, const Expr*> coordinates(const Expr* second, const Expr* third) {
    return {{kAttendBatch, batch_}, {1, second}, {2, third}};
  }

  void write(const Tile& tile, Block* body);
  void find_rows(const Expr* tile, Block* body);
  void walk_tiles(Block* body);
  void find_tiles_of_warp(const Expr* part, Block* body);
  Statement walk_tiles_of_warp();

  // Of queries (0), keys or values, at the features that queries and keys have.
  RowLoads loads_of(size_t number, const ContractOperand& operand) const;

  bool full_depth() const { return form_.features == attention_.features; }
  bool full_width() const { return form_.values == attention_.values; }

  // A function of a row of the block: the number that its query weighs beside its keys.
  void add_sink(Block* body);

  Statement load_queries();
  Statement copy_tile();
  // What products read, of a tile that is in shared memory as it was in memory.
  void convert_tile(Block* block);
  int64_t converted_at_once(size_t number) const;
  RowLoads loads_of_keys() const;
  RowLoads loads_of_values() const;
  const Expr* add_tile_of_turn(Block* block);

  // Tiles that have keys which some query of the block sees.
  void add_seen_tiles(Block* body);

  void add_tile(Block* block);
  void take_tile(Block* block);

  // Behind what is seen all scores are the same number, and weights are 0 beside a score that is larger by kWeighs.
  void add_end_of_seen(Block* block);

  // What is made of the products: scales, masks, biases; -infinity beside the last key. Of a tile that is whole no mask
  // is looked at.
  void add_scores(Block* block);
  Block scores_of(const DemandGraph& graph, const std::vector<NodeId>& products, bool tests_keys);
  // Tiles whose keys are all there, and seen by all queries of the block, are taken apart from others.
  bool has_whole_tiles() const;
  int64_t window_of_all() const;
  void add_whole_tiles(Block* body);
  void add_whole_window(Block* body);
  const Expr* seen_by_all();
  // A limit of what a query sees, and such a number that is at least, or at most, another.
  const Expr* key_of(const IndexExpr& key, const Expr* query);
  // Turns take tiles in their order, or from the first one that has keys the block sees, and on from the beginning.
  bool begins_inside() const { return !form_.by_keys && attention_.hidden && attention_.hidden->first; }
  const char* turn() const { return begins_inside() ? "turn" : "tile"; }
  const char* seen_turns() const { return begins_inside() ? "seen_turns" : "seen_tiles"; }

  Statement store_results();

  // What is copied.
  const char* tile_type() const { return attention_.converts() ? "Shared::Raw" : "Shared::Tile"; }
  const char* tiles() const { return attention_.converts() ? "tiles" : "tile"; }

  // Of a warp, for lines of text.
  std::string first_row() const { return form_.by_keys ? "" : "warp_row + "; }

  const StageInput& input_;
  const AttendDemand& demand_;
  const AttentionDemand& attention_;
  const AttendForm form_;
  AttendText text_;
  StageWriter w_;
  Kernel& kernel_;
  const Expr* batch_ = nullptr;
  const Variable* first_query_ = nullptr;  // of the block; nullptr: the first of all
};

}  // namespace sinter
