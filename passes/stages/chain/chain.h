// Chains of products: matrix products, or sums of rows, of what is made of other products element by element.
//
//   products = dot(left, right)                  an element for each pair of a row and a column
//   weights  = f(products), of whatever numbers the rows, the columns and the pairs have
//   results  = dot(weights, values)              summed over columns; or reduce(weights), over columns
//
// Gradients of attention are such, and what kernels of points, linear attention or two layers of a network make.
// Neither products nor weights are ever in memory. A pass makes one instruction of results that share products, a
// fusion (passes/graph/finish/chain.cpp), which has a stage of its own (chain_stage.h).
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "passes/demand/demand_contexts.h"
#include "passes/stages/chain/weighed_columns.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

// The instructions that make a chain what it is.
struct Chain {
  // Dots; or one reduction; or two, which a softmax has: the largest of a row, and the sum of exp(it - the largest).
  std::vector<const Instruction*> results;
  std::vector<const Instruction*> products;  // the dots that weights are made of, in the order of the text
};

// Which operand of a chain's result is made of its products: 0 of a reduction. nullopt: none is, or both are.
std::optional<size_t> weights_side(const Instruction& result, const std::vector<const Instruction*>& products);

// What the chain's kernel computes: its instructions, what weights are made of, but for what has a kernel of its own,
// and views of operands. Empty where that is more than a kernel should.
std::set<const Instruction*> parts_of(const Chain& chain);

// What weights may be made by: the same operation on each element, numbers, indices, views.
bool is_of_elements(const Instruction& value);
// A reduction that a chain's result may be: the sum, or the largest, of a row.
enum class RowReduction : uint8_t { kSum, kMaximum };
std::optional<RowReduction> row_reduction(const Instruction& reduce);

// Coordinates of a product and its weights; those of a result have a column of values as the third.
inline constexpr int kChainBatch = 0, kChainRow = 1, kChainColumn = 2;

struct ChainDemand {
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  DType dtype = DType::kF32;  // of all operands
  int64_t batch = 1, rows = 1, columns = 1;
  // What a tile of columns has of an operand, which comes to shared memory: features of the columns, as the right
  // operand of products, as values, or both.
  struct Tile {
    ContractOperand operand;  // coordinates: batch, a feature (1), column (2)
    TileCopy copy;
    int64_t features = 1;
  };
  std::vector<Tile> tiles;
  struct Product {
    const Instruction* dot = nullptr;
    ContractOperand left;  // coordinates: batch, row, a feature (2)
    std::optional<TileCopy> left_copy;
    size_t tile = 0;             // of its right operand
    std::vector<NodeId> leaves;  // of `weights`: parameters
  };
  std::vector<Product> products;
  struct Result {
    const Instruction* instruction = nullptr;
    std::optional<RowReduction> reduction;  // nullopt: a product
    size_t tile = 0;                        // of its values
    int64_t width = 1;                      // columns of its result
    std::vector<IndexExpr> index;           // of its element: of batch, row and a column of values
  };
  std::vector<Result> results;
  std::unique_ptr<DemandGraph> weights;  // of batch, row, column; its results: weights of each result, or of both
  std::optional<WeighedColumns> weighed;
  std::set<const Instruction*> by_sums;  // divisions by the sum of a softmax
  DemandContexts contexts;               // of the graphs

  bool reduces() const { return results[0].reduction.has_value(); }
  // Whether results are those of a softmax, whose weights are what the largest is taken of.
  bool is_softmax() const { return reduces() && results.size() == 2; }
};

// `computed`: what the kernel computes, instructions of `level`; all else it loads. `by_sums`: divisions by the sum of
// a softmax, beside those that are marked as such (attention.h). nullopt where it has no such form: operands that
// cannot be copied, products of two rows or two columns, types that tensor cores do not take.
std::optional<ChainDemand> demand_chain(const Chain& chain, const Computation& level,
                                        const std::set<const Instruction*>& computed,
                                        const std::set<const Instruction*>& by_sums = {});

}  // namespace sinter
