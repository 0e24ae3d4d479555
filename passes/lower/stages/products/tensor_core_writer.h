// The writer of a contract kernel on tensor cores. Internal to lower_tensor_core.cpp, which has what stands around the
// products, and tensor_core_copies.cpp, how operands come to shared memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "passes/lower/stages/products/tensor_core_text.h"
#include "passes/lower/stages/products/tile_writer.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

class TensorCoreWriter : private TileWriter {
 public:
  TensorCoreWriter(const StageInput& input, const ContractDemand& demand, const TensorCoreForm& form);

  LoweredStage run();

 private:
  void write(const Tile& tile, Block* body);

  bool splits() const { return form_.splits > 1; }
  DType sum_type() const {
    using Product = TensorCoreForm::Product;
    return form_.product == Product::kInt8 ? DType::kS32 : form_.product == Product::kF64 ? DType::kF64 : DType::kF32;
  }
  int64_t groups() const { return form_.splits / form_.group(); }
  int64_t block_tiles() const { return form_.block_tiles(extents_.k); }

  void add_constants();
  void add_products_of_warps();
  void add_warpgroups();

  void add_headers();

  int64_t tiles_ahead() const;
  bool is_asynchronous() const { return copies_[0] || copies_[1]; }
  std::string tiles_text() const;
  std::string spread() const;

  // Where parts of sums and what counts finished blocks are, of blocks that share a tile.
  void add_split_parameters(LoweredStage* stage);

  void add_coordinates(const Tile& tile, Block* body);

  // `lhs_at(...)` of places in the tile.
  const Expr* shared_element(size_t side, const Expr* outer, const Expr* k);

  // What is multiplied: of an operand whose zeros are skipped, what it is elsewhere.
  const ContractOperand& operand(size_t side) const {
    const ContractOperand* value = value_below_mask(demand_, form_, side);
    return value != nullptr ? *value : demand_.operands[side];
  }
  void name_extents_of(size_t side, Expressions* expressions) const;
  // Which rows of the tile are in which segments of K, before anything is copied.
  void add_segments(Block* body);
  // Which terms of K count for the batch, and the k tiles that have any.
  void add_terms(Block* body);

  // Elements that come to shared memory at once, and what they are called.
  int64_t elements_of_copy(size_t side) const { return copies_[side] ? copies_[side]->elements : form_.chunk(); }
  std::string chunk(size_t side) const;

  // Whether what lies across k in memory is copied to rows along k, element by element.
  bool turns(size_t side) const { return copies_[side] && text_.along_k[side] && !copies_[side]->along_k; }
  // Whether a thread's copies of an operand are at one place along k, of different rows or columns; else of one of
  // these.
  bool stays_along_k(size_t side) const { return text_.along_k[side] && !turns(side); }

  // Where a thread's copies of an operand begin within a tile, before the loops.
  std::string first_place(size_t side) const;

  // The part of an index that does not move with k, of those that take more than multiplications; nullopt where the two
  // cannot be told apart.
  std::optional<IndexExpr> fixed_part(const IndexExpr& expr, int k) const;

  static IndexExpr of_term(const IndexExpr::Term& term);

  // What is fixed for a copy of where it reads, and of what is tested, is found before the loop.
  void find_fixed_parts(size_t side, Block* body);

  // Of parts with a matrix each, where a thread copies columns of one part alone.
  void choose_matrix(size_t side, const Variable* column, Block* block);

  int64_t number_of_copies(size_t side) const;
  // Of an operand that comes through registers: so many neighbours of a chunk are loaded in one access.
  int64_t register_vector(size_t side) const;
  bool is_register_vector(size_t side, const DemandNode& load, int64_t width) const;

  // The copies of one operand's tile that a thread makes.
  Statement copies(size_t side);

  void add_copies(Block* body);

  // Infinities, NaNs and what is near the largest float, as f32 has them: in terms of TF32 an infinite operand gives
  // NaN, and one that is rounded up may be infinite. So a sum that is not finite is made again, in order.
  void sum_again(const Expr* sum, const Variable* row, const Variable* column, const Expr* part, Block* block);

  TensorCoreForm form_;
  const DType dtype_;       // of both operands
  const bool skips_;        // segments of K that no row of the tile is in
  const bool skips_terms_;  // k tiles without a term of the batch
  std::optional<TileCopy> copies_[2];
  IndexExpr from_[2];                                // where a copy reads
  std::vector<std::pair<int, Variable*>> fixed_[2];  // coordinates that stand for what is found before the loop
  Variable* fixed_outer_[2] = {nullptr, nullptr};    // the row or column of all copies of a thread
  Variable* matrix_ = nullptr;                       // that a thread copies, where it is found before the loop
  TensorCoreText text_;
  Variable* tile_k_ = nullptr;   // where the k tile begins, of blocks that skip some
  Variable* first_k_ = nullptr;  // of the block, where several share a tile
};

}  // namespace sinter
