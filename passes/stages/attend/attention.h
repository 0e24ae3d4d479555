// Attention: two matrix products with a softmax between them.
//
//   scores = dot(queries, keys), scaled, masked, biased, element by element as the program has it
//   weights = softmax(scores), of a query over all keys, and one number more that has no value: a sink
//   results = dot(weights, values)
//
// Here it is found among the instructions of a program, and what a kernel of it demands: elements of queries, keys and
// values, and what is made of a product on its way to a score. fuse_attention makes one instruction of it, a fusion,
// which has a stage of its own (attend_stage.h).
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "passes/demand/demand_contexts.h"
#include "passes/stages/attend/hidden_keys.h"
#include "passes/stages/attend/row_source.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

// The instructions that make attention what it is.
struct Attention {
  const Instruction* results = nullptr;  // the second product
  size_t weights_side = 0;               // which of its operands the weights are
  const Instruction* weights = nullptr;  // exponential / sum
  const Instruction* shifted = nullptr;  // score - largest
  const Instruction* exponential = nullptr;
  const Instruction* largest = nullptr;  // of a query's scores
  const Instruction* sum = nullptr;      // of a query's exponentials
  // What scores are shifted by, and weights divided by: `largest` and `sum`, or where there is a sink a maximum with
  // it, or not, and the sum with its exponential.
  const Instruction* base = nullptr;
  const Instruction* total = nullptr;
  const Instruction* sink_exponential = nullptr;  // exponential(sink - base)
  const Instruction* sink_shifted = nullptr;
  const Instruction* score = nullptr;     // what softmax is taken of
  const Instruction* products = nullptr;  // the first product, of queries and keys
};

// Where scores are made of several products, a bias of one say, each may be that of queries and keys. Empty: it is no
// such product.
std::vector<Attention> find_attention(const Instruction& results);

// What attention computes: the instructions above, and what costs nothing or little before them (index maps, masks made
// of indices, scales), but what other products make. `computed`: the operand of the first product that may be computed
// as it is loaded. `rows`: with the way to keys and values as they are in memory (row_source.h). Empty where something
// of it is read from elsewhere too, so that it is to be in memory.
std::set<const Instruction*> parts_of(const Attention& attention, std::optional<size_t> computed, bool rows);

// Coordinates of a score, and of a result, whose third is a column of values.
inline constexpr int kAttendBatch = 0, kAttendRow = 1, kAttendKey = 2;
// Whether it may differ with that coordinate.
bool depends_on(const IndexExpr& expr, int coordinate);
bool depends_on(const std::vector<IndexExpr>& index, int coordinate);

struct AttentionDemand {
  Attention attention;
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  DType dtype = DType::kF32;  // of queries, keys and values
  // `rows` queries share keys: those of a head, or of the heads that have keys in common.
  int64_t batch = 1, rows = 1, keys = 1, features = 1, values = 1;
  ContractOperand queries;            // outer: row; k: feature
  ContractOperand key_elements;       // outer: key; k: feature
  ContractOperand value_elements;     // outer: column of values; k: key
  std::optional<TileCopy> copies[3];  // of queries, which may be computed on their way; of keys and values
  RowSource sources[3];               // of keys and values: what is copied
  // Of coordinates batch, row, key: a score, of the product that it is made of.
  std::unique_ptr<DemandGraph> score;
  std::vector<NodeId> products;
  std::optional<HiddenKeys> hidden;
  // The same of a key that a query sees, where all but a range of keys are hidden; nullptr: as above.
  std::unique_ptr<DemandGraph> seen_score;
  std::vector<NodeId> seen_products;
  std::unique_ptr<DemandGraph> sink;    // of coordinates batch and row; nullptr: there is none
  std::vector<IndexExpr> result_index;  // of the element of the second product: of batch, row, column (the third)
  DemandContexts contexts;              // of the graphs

  // Whether keys or values are computed of what is copied, in shared memory.
  bool converts() const { return sources[1].computes || sources[2].computes; }
};

// `computed`: what the kernel computes, instructions of `level`; all else it loads. nullopt where it has no such form:
// operands that cannot be copied, keys that differ from query to query, types that tensor cores do not take.
std::optional<AttentionDemand> demand_attention(const Attention& attention, const Computation& level,
                                                const std::set<const Instruction*>& computed);

}  // namespace sinter
