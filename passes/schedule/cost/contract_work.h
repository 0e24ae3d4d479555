// Counting what a contraction computes, in each of its forms (docs/cost.md).
#pragma once

#include "ir/kernel/work.h"
#include "passes/schedule/cost/statistics_work.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/gemv_form.h"
#include "passes/stages/products/simt_form.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

// What is reduced of the rows of results, and stored of each.
class ReducedRowsWork {
 public:
  explicit ReducedRowsWork(const ContractDemand& demand);
  // Adds that of all tiles of m rows, of blocks of so many threads; the cycles that a thread needs for its part.
  double add_to(int64_t m, int64_t threads, double tiles, Work* work) const;
  // Of what reads the sums of a tile as they lie there, the part that is there where no element is stored.
  double elements() const { return elements_; }

 private:
  const ResultRows& rows_;
  const StatisticsWork statistics_;
  const Work stores_;  // of a row
  const double elements_, words_;
};

// `tile`: rows and columns of a tile, an element a thread.
Work contract_work(const ContractDemand& demand, int64_t tile);
// In tiles on tensor cores, of any size: graphs are counted once.
class TensorCoreWork {
 public:
  explicit TensorCoreWork(const ContractDemand& demand);
  Work of(const TensorCoreForm& form, int64_t threads) const;

 private:
  const ContractDemand& demand_;
  const std::optional<TileCopy> copies_[2];
  const Work elements_[2], after_;  // of an element of each operand, of a result
  // Of operands where their masks hold, of forms that skip segments or terms, and of the mask for one.
  std::optional<TileCopy> copies_below_mask_[2];
  Work elements_below_mask_[2], mask_;
  const StatisticsWork statistics_;
  const ReducedRowsWork rows_;
};
// In tiles without tensor cores, of any size: graphs are counted once.
class SimtWork {
 public:
  explicit SimtWork(const ContractDemand& demand);
  // That the threads of a block can divide (simt_threads).
  Work of(const SimtForm& form, int64_t threads) const;

 private:
  const ContractDemand& demand_;
  std::vector<Work> elements_;     // of an element of each operand
  const Work after_;               // of a result
  Work term_;                      // of a term: a product and its sum, or what stands in their place
  double of_result_ = 0;           // numbers that the terms of one result read, ...
  double of_sides_[2] = {};        // ... of one row, and of one column
  double of_term_ = 0;             // and that all terms of one place read
  std::vector<double> registers_;  // that hold what an element is made of
  const StatisticsWork statistics_;
  const ReducedRowsWork rows_;
};
// Of vectors times a matrix, in any of its forms: graphs are counted once.
class GemvWork {
 public:
  GemvWork(const ContractDemand& demand, const GemvOperands& operands);
  // That the threads of a block can divide (gemv_threads).
  Work of(const GemvForm& form, int64_t threads) const;

 private:
  const ContractDemand& demand_;
  const GemvOperands& operands_;
  const Work element_, of_vectors_, after_;  // of an element of the matrix, of a vector, of a result
  const double computed_;                    // integers that an element of the matrix is made of
  const double registers_;                   // that hold what an element is made of
  const StatisticsWork statistics_;
};

}  // namespace sinter
