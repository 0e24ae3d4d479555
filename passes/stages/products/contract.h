// Contractions as matrix products: a dot or convolution is, for each element of its batch dimensions, an m x k matrix
// times a k x n matrix, and its result in row-major order is [batch, m, n]. A contract kernel computes one dot in tiles
// of (m, n); what stands before the dot is computed where a tile's operands are loaded, what stands after it where the
// results are stored.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "passes/analysis/shapes/matrix_product.h"
#include "passes/analysis/shapes/tf32_values.h"
#include "passes/demand/demand_contexts.h"
#include "passes/stages/domain/domain.h"
#include "passes/stages/products/column_parts.h"
#include "passes/stages/products/result_rows.h"
#include "passes/stages/products/row_statistics.h"
#include "passes/stages/results/part_matrices.h"

namespace sinter {

struct TensorCoreForm;

// One operand of the dot as a tile's threads load it: its value at (batch, outer, k), where outer is m or n.
struct ContractOperand {
  std::unique_ptr<DemandGraph> graph;  // results: the one value
  int batch = 0, outer = 0, k = 0;     // coordinates
  bool is_matrix = true;               // its strides are the extents; not so the input of a convolution
  bool k_contiguous = true;            // neighbours in memory differ in k, not in m or n
};

// Of a product whose left operand has zeros but for some rows in each segment of K, as products of experts are written
// that have an expert's rows in its segment: a tile's block skips the segments that none of its rows is in. What is
// copied at once has one row.
//
//   dot(select(first[e] <= row && row < last[e], x[row, k], 0), w[e, k, n]), contracting e and k
struct MaskedSegments {
  int64_t count = 1, length = 0;      // K is count * length
  ContractOperand value;              // the left operand where the mask holds
  std::unique_ptr<DemandGraph> mask;  // results: whether the row is in the segment, at the coordinates below
};
inline constexpr int kSegmentBatch = 0, kSegmentRow = 1, kSegmentNumber = 2;

// Of a product whose operands are one array in all batches, with zeros but for some terms of each, as gradients of
// experts' matrices are written, whose terms are an expert's rows: a block skips the k tiles without a term. What is
// copied at once has one term.
//
//   dot(select(first[e] <= k && k < last[e], x[k, row], 0), select(..., y[k, column], 0)), batch e, contracting k
struct MaskedTerms {
  std::optional<ContractOperand> values[2];  // operands where the mask holds, of those that have one
  std::unique_ptr<DemandGraph> mask;         // results: by operand, whether the term counts, at the coordinates below
};
inline constexpr int kTermBatch = 0, kTermNumber = 1;
inline constexpr int64_t kMostMaskedTerms = int64_t{1} << 17;

// What is made of an element of each operand in place of their product, and how that is combined in place of a sum
// (passes/stages/pairs).
struct PairTerm {
  // Of an operand: the type of its elements, and which parameters of the graph they are.
  struct Elements {
    DType dtype = DType::kF32;
    std::vector<NodeId> nodes;
  };
  // Operands beside the first of each side.
  struct Other {
    size_t side = 0;
    ContractOperand operand;
  };
  // Of a reduction that gives several values for each result: one of them.
  struct Value {
    const Instruction* result = nullptr;  // nullptr: nothing reads it
    Literal begin;
    std::vector<NodeId> before, term;  // parameters of `function`
  };
  Opcode combiner = Opcode::kAdd;
  std::vector<Other> others;
  std::vector<Elements> elements;      // of the two operands, then of the others
  std::unique_ptr<DemandGraph> graph;  // results: the term, at the coordinates of the epilogue and a term
  int term = 3;                        // coordinate of `graph`
  // Of several values: `graph` has a term of each, and `function` the next of each, in place of `combiner`.
  std::vector<Value> values;
  std::unique_ptr<DemandGraph> function;
  DemandContexts contexts;
};

struct ContractDemand {
  const Instruction* dot = nullptr;  // or convolution, or what has another term; of several, the first
  ContractExtents extents;           // of all parts together
  ColumnParts parts;    // of a row, that each result is made of; columns of operand 1 are in the order of tiles
  int64_t partner = 0;  // how far apart two columns are that a result is made of (column_partners.h); 0: of one
  // The kernel as one thread an element would compute it: what is read and written.
  std::unique_ptr<DemandGraph> graph;
  ContractOperand operands[2];
  std::optional<PairTerm> pair;             // nullopt: a product
  Tf32Operands are_tf32 = {};               // operands of f32 that have no more digits (tf32_values.h)
  std::optional<ContractOperand> in_order;  // operand 1 at the product's own column; nullopt where parts are one
  // What operand 1 loads where each part is the product of a matrix of its own: its graph has the first part's arrays.
  ArraysOfParts matrices;
  std::optional<MaskedSegments> segments;  // of operand 0, which has the mask, too
  std::optional<MaskedTerms> terms;        // of operands, which have their masks, too
  // Of the vectors of a skinny product, or of one operand's rows: its graph has numbers of these as parameters.
  RowStatistics statistics;
  size_t vectors = 0;  // which operand that is
  std::unique_ptr<DemandContext> vectors_context;
  std::unique_ptr<DemandContext> parts_context;  // of many rows: the same, but for statistics of parts alone
  // From the dot's elements (batch, m, column of each part) to the stores. `products` are these: parameters of this
  // graph.
  std::unique_ptr<DemandContext> epilogue_context;
  std::unique_ptr<DemandGraph> epilogue;
  struct Product {
    NodeId node = kNoNode;
    int64_t part = 0;  // or, of several values of a reduction, which
    bool is_partner = false;
  };
  std::vector<Product> products;
  int batch = 0, row = 1, column = 2;  // coordinates of `epilogue`
  // Of parts that stand apart: what follows each, which is some of what `epilogue` has.
  struct PartResults {
    const Instruction* dot = nullptr;
    std::unique_ptr<DemandGraph> graph;
    std::vector<Product> products;
  };
  std::vector<PartResults> results_apart;
  // What is reduced of the results' rows, which `epilogue` reads numbers of; its column is within a piece of a row.
  ResultRows rows;
  // Operands by number: the left one, the right one, and those that a term has beside them.
  size_t operand_count() const { return pair ? 2 + pair->others.size() : 2; }
  const ContractOperand& operand(size_t number) const {
    return number < 2 ? operands[number] : pair->others[number - 2].operand;
  }
  size_t side_of(size_t number) const { return number < 2 ? number : pair->others[number - 2].side; }
  DType operand_type(size_t number) const {
    return pair ? pair->elements[number].dtype : dot->operand(number)->shape.dtype;
  }
  // Whether a tile of so many columns has all that its results are made of.
  bool are_whole(int64_t tile_columns) const {
    return parts.are_whole(tile_columns) && rows.are_whole(tile_columns) && has_partners(tile_columns);
  }
  bool has_partners(int64_t tile_columns) const { return partner == 0 || tile_columns % (2 * partner) == 0; }
};

// Of a product in tiles, the most vectors whose statistics its blocks make: of more, its time is that of its products,
// not of a launch.
inline constexpr int64_t kMostTiledVectors = 256;
// How a block makes the statistics of a tile of m x n results: its rows or columns are vectors, and the block's threads
// have one each, or several where fewer than eight neighbours would share one.
StatisticsThreads statistics_threads(const ContractDemand& demand, int64_t m, int64_t n, int64_t block);

// Whether a block of this form skips segments: not one that shares its tile's sums, nor one whose tiles the hardware
// reads.
bool skips_segments(const ContractDemand& demand, const TensorCoreForm& form);
// The same of k tiles without a term.
bool skips_terms(const ContractDemand& demand, const TensorCoreForm& form);
// What a block of this form copies in the masked operand's place; nullptr: the operand itself.
const ContractOperand* value_below_mask(const ContractDemand& demand, const TensorCoreForm& form, size_t side);

// Of a block's shared memory, with what it keeps of statistics, segments and terms.
int64_t shared_bytes(const ContractDemand& demand, const TensorCoreForm& form, int64_t threads);
// Whether a block of this form makes the statistics that the product needs, and there is room for them: of an operand's
// vectors not one that shares sums with others, but for statistics of parts, nor one whose tiles the hardware reads; of
// rows of results one that has them whole, and does not stay.
bool makes_statistics(const ContractDemand& demand, const TensorCoreForm& form, int64_t threads);

// The dots and convolutions of a kernel, in the order of the text.
std::vector<const Instruction*> contractions_of(const KernelValues& kernel);

// Fails unless the kernel's values are one dot and what belongs to it element by element: every output has the dot's
// elements, in their order, or one for an element of each part of its rows; nothing else sums in a loop, and the
// operands are no sums, but for statistics of one operand's vectors (row_statistics.h), or of the result's rows, of
// which an output may have an element each (result_rows.h). Several dots of one left operand are parts of one
// (part_matrices.h), of which an output is made of an element of each, or each output of one of them.
std::optional<ContractDemand> demand_contract(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
