// Row functions: functions of the user's own that compute a row of a value, or one element of it, from a row each of
// others. A block has a row, computed where it is loaded into shared memory; all its threads call the function, and
// store what is computed of its result.
#pragma once

#include <memory>

#include "passes/analysis/values/hardware.h"
#include "passes/stages/own/epilogue.h"
#include "passes/stages/own/own_stage.h"

namespace sinter {

// Of a block's shared memory, what functions may have for arrays of their own, and what is left for rows.
constexpr int64_t kFunctionBytes = int64_t{8} << 10;
constexpr int64_t kMostRowBytes = kSharedBytesMost - kFunctionBytes;

// The arrays whose rows a call with this result is given: the result's own, or, of one that has an element a row, those
// of the first operand.
const Shape& row_shape(const Instruction& call, const Shape& result);

// What the rows of all operands and of the result take.
int64_t row_bytes(const Instruction& call, const Shape& result);

struct RowFunctionDemand {
  const Instruction* call = nullptr;
  int64_t rows = 1, columns = 1, threads = 32;
  bool reduces = false;                // the result has an element a row
  std::unique_ptr<DemandGraph> graph;  // results: of each operand the element at (row, column)
  EpilogueDemand epilogue;             // of the result at (row, column)
  int row = 0, column = 0;             // coordinates of all graphs
};

std::optional<RowFunctionDemand> demand_row_function(const KernelValues& kernel,
                                                     std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
