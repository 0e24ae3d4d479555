// Bins stages: very many updates of few elements, histograms. A block has bins in shared memory, one for each element,
// that its threads change atomically where any order will do, of integers; else each warp has bins of its own, and
// lanes take turns at one of them (device/bins.cuh). Of updates that are rows a thread has a column of the bins, to
// itself: no turns. The blocks combine theirs in a tree of last arrivals (device/block_tree.cuh). Scatters by the same
// rows are one stage (the pass join_bins).
//
//   s32[256] scatter(zeros, rows, ones)           rows s32[33554432]
//   f32[16,64] scatter(zeros, rows, updates)      rows s32[1000000], updates f32[1000000,64]
//   s32[64,256] scatter(zeros, rows, ones)        rows s32[64,1000000]: of a batch each has bins, and blocks, of its
//   own
#pragma once

#include <memory>
#include <vector>

#include "passes/analysis/functions/combiner.h"
#include "passes/stages/own/own_stage.h"

namespace sinter {

// Elements times updates: where each element looks at each update this takes 10 us of an h200, longer than bins do.
inline constexpr int64_t kManyPairs = int64_t{1} << 25;

// True of a scatter of single elements or whole rows that had better be such a stage: of too many updates for each
// element to look at all of them (scatter_to_reduce.cpp), or of rows that would be sorted; of so few elements that
// warps have room for them.
bool wants_bins(const Instruction& scatter);
// The same, whatever its elements begin as.
bool may_have_bins(const Instruction& scatter);
// The same, if it were of numbers of another type.
bool may_have_bins_of(const Instruction& scatter, DType dtype);

// Whether single elements, that are updated in so many batches which have none in common, had better be such a stage,
// with bins for each batch (batch_bins.cpp).
bool wants_bins_of_batches(const Instruction& scatter, int64_t batches);
// Whether rows of so many elements, one of each batch, had better be such a stage with a result for each column
// (columns_of_bins.cpp).
bool wants_bins_of_columns(const Instruction& scatter, int64_t batches, int64_t columns);

// Updates of single elements that are too many for one batch are parts of several, whose results are reduced then: how
// many parts.
int64_t parts_of_updates(const Instruction& scatter);

// What bins of all elements take, of one of a batch; and whether warps have room for bins of so many bytes, of all
// scatters of a stage.
int64_t bytes_of_bins(const Instruction& scatter);
bool have_room(int64_t bytes);

// The operation of each result of a stage: scatters f[R] by rows s32[N] with updates f[N], or f[R,C] with f[N,C], or of
// a batch f[B,R] by s32[B,N] with f[B,N]; one or several of a tuple. Empty for any other instruction.
std::vector<Opcode> bins_operations(const Instruction& instruction);

struct BinsForm {
  int64_t batches = 1;  // what follows is of one of them
  int64_t rows = 1, columns = 1, updates = 1;
  bool any_order = false;    // bins are a block's; else a group's
  bool own_columns = false;  // a thread of a group has a column
  int64_t lanes = 32;        // threads of a group
  int64_t groups = 2;        // of a block
  int64_t slice = 1;         // of a block: updates where threads have columns, else elements of them
  int64_t blocks = 1;

  int64_t bins() const { return rows * columns; }
  int64_t elements() const { return updates * columns; }
  int64_t threads() const { return lanes * groups; }
  int64_t copies() const { return any_order ? 1 : groups; }
  int64_t round() const { return own_columns ? groups : threads(); }  // what a block takes at a time, as `slice`
  int64_t all() const { return own_columns ? updates : elements(); }
};

// How a stage takes its updates, in blocks of so many threads; 0: as many as are best.
BinsForm bins_form(const Instruction& scatter, int64_t threads = 0);

// What the stage does with updates of so many results, but for what their rows and values are computed from.
Work bins_work(const BinsForm& form, size_t results);

// Which of a stage's results an output is, perhaps in another shape; nullopt if it is none.
std::optional<size_t> result_of_bins(const Instruction& scatter, const Instruction& output);

struct BinsDemand {
  const Instruction* scatter = nullptr;
  std::vector<Opcode> operations;  // of each result
  BinsForm form;
  std::unique_ptr<DemandGraph> graph;  // results: the row of an update, and its value for each result
  // Coordinates of the graph: which of a batch, which of its updates, and along that.
  int batch = 0, number = 0, column = 0;
};

std::optional<BinsDemand> demand_bins(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure,
                                      int64_t threads = 0);

}  // namespace sinter
