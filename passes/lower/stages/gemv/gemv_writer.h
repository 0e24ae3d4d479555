// The writer of a skinny product's kernel. Internal to lower_gemv.cpp, which has what stands around the products,
// gemv_steps.cpp, the steps along k, and gemv_results.cpp, what is made of the sums.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/gemv/gemv_products.h"
#include "passes/lower/stages/gemv/gemv_text.h"
#include "passes/stages/products/contract.h"

namespace sinter {

class GemvWriter {
 public:
  GemvWriter(const StageInput& input, const ContractDemand& demand, const GemvForm& form);

  LoweredStage run();

 private:
  void write(const Tile& tile, Block* body);

  bool copies() const { return text_.copies(); }
  bool splits() const { return text_.splits(); }
  bool whole_outputs() const { return text_.whole_outputs(); }
  bool whole_k() const { return text_.whole_k(); }
  DType copied_type() const { return matrix_graph_.nodes[operands_.copied].dtype; }

  static void blank(Block* block) { block->push_back({.kind = Statement::Kind::kBlank}); }
  const Expr* name(const std::string& spelling) { return kernel_.name_expr(spelling, w_.index); }
  const Expr* small(const std::string& spelling) { return kernel_.name_expr(spelling); }
  const Expr* sum(const Expr* a, const Expr* b) { return a == nullptr ? b : w_.infix(a, "+", b); }
  const Expr* below(const Variable* coordinate, const char* limit);
  // `array[first][second]`
  const Expr* element(const std::string& array, const std::vector<const Expr*>& indices, DType dtype);
  Statement unrolled(const std::string& counter, const std::string& end);
  // for (int i = thread; i < end; i += kThreads)
  Statement by_threads(const std::string& end);

  void add_split_parameters();

  // The text's names are its own: variables that stand for values have others.
  static void rename_values(Block* block);
  // Whether a float of 16 bits holds every number of the type.
  static bool fits(DType from, DType to);
  // The values of a graph's results, and of what they need in `block`.
  const Expr* value_of(const DemandGraph& graph, Expressions& expressions, DType to, Block* block);

  const Expr* x_at(const Expr* k) { return place_in_vector(&kernel_, text_, k); }

  void add_coordinates(const Tile& tile, Block* body);

  // Of row r of a thread in a step, of its first element or another.
  const Expr* in_place(const Expr* r) { return place_of_row(&kernel_, r); }
  const Expr* output_of(const Expr* r, const Expr* e);
  const Expr* k_of(const Expr* step, const Expr* r, const Expr* e);

  Expressions matrix_expressions(const DemandGraph& graph, const Variable* output, const Variable* k);

  const Expr* inside(const Variable* output, const Variable* k);

  const Expr* slot(const Expr* step, const Expr* r);

  void add_copies(Block* body);
  // Of the step that the text calls `step`.
  void add_copies_of_step(Block* body);

  // The vectors, or as much of them as fits, and the steps that need that.
  void add_panel(Block* body);

  void add_steps(Block* body);

  // What a row's elements need beside what is copied, in vectors, and one of these elements.
  std::string add_pieces(const PieceLoad& load, const Expr* step, const Expr* r, Block* body);

  // elements[r][e], of the matrix in the type of sums; zero outside.
  void add_elements(const Expr* step, Block* body);

  bool in_parts() const { return demand_.parts.count > 1; }
  // for each output of the block and vector: what `make` does at (vector, place in the tile, output).
  using Make = std::function<void(const Variable*, const Variable*, const Variable*, Block*)>;
  Statement each_output(const Make& make);
  // The same of results, which are as many, or made of an output of each part.
  Statement each_result(const Make& make);
  Statement each(const char* outputs, const Expr* first, const char* limit, const Make& make);

  // T name = first; for (int counter = 1; counter < end; ++counter) name += more;
  // `value`: what the total is; nullptr: a part of it.
  Variable* total(const std::string& name, const Instruction* value, const std::string& counter, const std::string& end,
                  const std::function<const Expr*(const Expr*)>& part, Block* block);

  // `split`: nullptr for the first.
  const Expr* partial_of(const Expr* split, const Variable* vector, const Variable* output);

  // What several threads have of a sum, added up.
  Variable* of_groups(const std::string& name, const Instruction* value, const Variable* vector, const Variable* place,
                      Block* block);
  // The sums that a result is made of, as `expressions` have them.
  void add_sum(const Variable* vector, const Variable* place, const Variable* output, Expressions* expressions,
               Block* block);
  void add_sums_of_parts(const Variable* vector, const Variable* place, Expressions* expressions, Block* block);

  // if (!is_last_of(&finished[blockIdx.x], kSplits - 1)) return;
  Statement leave_but_last(const Tile& tile);

  void add_results(const Tile& tile, Block* body);

  StageWriter w_;
  Kernel& kernel_;
  const ContractDemand& demand_;
  const GemvForm form_;
  const GemvOperands operands_;
  const int64_t threads_;
  const GemvThreads shape_;
  const ContractOperand& matrix_;
  const ContractOperand& vectors_;
  DemandGraph matrix_graph_;  // with parameters in place of what is copied, or loaded in pieces
  std::vector<PieceLoad> pieces_;
  const DType x_type_, sum_type_;
  const GemvText text_;
  LoweredStage stage_;
  Variable* batch_ = nullptr;
  Variable* first_output_ = nullptr;
  Variable* first_k_ = nullptr;  // of the block, where several share sums
  Variable* partial_ = nullptr;  // what blocks come to, where several share sums
  Variable* finished_ = nullptr;
};

}  // namespace sinter
