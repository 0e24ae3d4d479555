// Scatter stages: many updates of many rows. Which row an update belongs to is a number; rows are updated where
// updates of one row may come in any order, or gathered where these are sorted.
//
//   s32[50000,64] scatter(table, rows, updates)     rows s32[8192], updates s32[8192,64]
//
// The stage has this form alone: a scatter of rows. The pass scatter_to_rows makes it of others, and sorts the updates
// where their order matters, stably, so that each element takes its updates in the order of the program. Sorted updates
// may be of few rows or of many, evenly or not: blocks have equal shares of them, and sums of rows that go on from one
// share to another are joined in their order. Few updates of a large array are not sorted: each looks whether others
// are of its row. A scatter that folds is none of these: each element looks at all updates (demand_scatter.cpp).
#pragma once

#include <memory>
#include <optional>
#include <set>

#include "passes/stages/own/own_stage.h"

namespace sinter {

// True if an element of the scatter had better look at all updates itself than have a stage for it.
bool folds(const Instruction& scatter);

// True if the result depends on the order in which an element takes its updates, as far as we know.
bool needs_order(const Instruction& scatter);

// Whether all updates of a row overwrite it with the same.
bool writes_same(const Instruction& scatter);

// Of truth values: the update that decides an element, whatever others there are; one that is not this changes nothing.
std::optional<bool> deciding_update(const Instruction& scatter);

// Whether the order would not matter if there were one element more: atomic steps take two bytes, and the last of an
// odd number would take one that is not the array's.
bool lacks_pair(const Instruction& scatter);

// Whether updates in any order, so many of rows, are so few beside the array that blocks had better look through them
// all than that they are sorted: a block has an update, and goes on where no other of its row decides.
bool are_few(const Instruction& scatter, int64_t updates);

// Of the numbers of so many rows, and of one behind them: s32, or s64.
DType type_of_rows(int64_t rows);

// f[R] or f[R,C] scatter(operand, rows s32[N], updates f[N] or f[N,C]): an update is a whole row.
bool is_row_scatter(const Instruction& scatter);

// True if the rows of a row scatter ascend: seen to be sorted, or said to be.
bool is_sorted(const Instruction& scatter);

// How threads share the updates of many rows, whatever rows these are of: a thread takes a run of updates at one
// column, a block `runs` of them at `lanes` columns (templates/device/row_runs.cuh).
struct RunsForm {
  int64_t items = 0;  // updates
  int64_t run = 1, runs = 1, lanes = 1;
  int64_t tiles = 1;   // of the columns
  int64_t shares = 1;  // of the updates, a block each
  bool exact = true;   // tiles are of equal width
  int64_t threads() const { return runs * lanes; }
  int64_t share() const { return runs * run; }
};

// Neighbouring updates whose loads are under way together.
inline constexpr int64_t kRunBatch = 8;

// What such a launch computes.
Work runs_work(const RunsForm& form, int64_t columns);

// A block has an update, or a tile of its columns.
struct FewForm {
  int64_t threads = 1;
  int64_t tile = 1, tiles = 1;  // columns
};

struct ScatterDemand {
  const Instruction* scatter = nullptr;
  int64_t rows = 1, columns = 1, updates = 1;
  bool sorted = false;  // rows of updates ascend
  // The result begins as the operand, and updates alone are written: the last of a row, or the first for all of it.
  bool by_update = false;
  std::optional<FewForm> few_form;  // by update, in any order
  std::optional<RunsForm>
      updates_form;  // sorted, where blocks share the updates: else a thread gathers those of an element
  std::optional<RunsForm>
      parts_form;  // several shares: one block joins the sums of rows that go on from one to another
  const Instruction* row_of = nullptr;   // sorted: the array of the updates' rows, in memory
  std::unique_ptr<DemandGraph> graph;    // all that is read
  std::unique_ptr<DemandGraph> operand;  // results: the element at (row, column)
  std::unique_ptr<DemandGraph> update;   // results: the row of an update, and its element at column
  int row = 0, column = 0, number = 0;   // coordinates of all graphs
};

// Whether blocks share so many sorted updates: where they are combined by one operation, which their order changes in
// the last bits at most. It is enough then that the updates of one row follow each other; numbers of no row may stand
// between any others.
bool shares_updates(const Instruction& scatter, int64_t updates);

std::optional<ScatterDemand> demand_scatter(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

// What computes the indices from numbers of their place, as far as it matters to which windows an element is in.
std::set<const Instruction*> index_arithmetic(const Instruction& indices);

// Whether the combiner gives the update itself.
bool overwrites(const Computation& combiner);

// Threads of a block of such a stage.
inline constexpr int64_t kScatterThreads = 256;

}  // namespace sinter
