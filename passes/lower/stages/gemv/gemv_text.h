// What the kernel of a skinny product says, whatever it computes: its constants, what is in shared memory, and how sums
// of threads meet there. Text, with constants by name.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/kernel/kernel.h"
#include "passes/lower/stages/products/statistics_writer.h"
#include "passes/stages/products/gemv_form.h"

namespace sinter {

// Of a form that is resident: whether the block's part of the matrix is loaded. A constant of a kernel that is a launch
// of its own; of a part of a launch that does many steps, a parameter (keep_resident.h).
inline constexpr const char* kLoadsWeights = "kLoadsWeights";

struct GemvText {
  GemvForm form;
  GemvOperands operands;
  GemvThreads threads;
  ColumnParts parts;
  bool has_matrices = false;   // one for each part
  int64_t block = 0;           // threads of a block
  int64_t copy_bytes = 0;      // of a copy; 0: there are none
  int64_t piece = 1;           // elements of a vector that are read at once
  std::string copied, x, sum;  // types: what copies bring, elements of vectors, sums
  StatisticsText statistics;   // of the vectors

  bool copies() const { return operands.copied != kNoNode; }
  bool splits() const { return form.splits > 1; }
  bool whole_outputs() const { return operands.outputs % form.n == 0; }
  bool whole_k() const { return operands.k == threads.split_k * form.splits; }
  int64_t blocks() const;  // of one batch and part of k
  int64_t steps() const { return threads.split_k / form.k; }
  // Steps whose chunks have slots of their own; if those are all steps, their copies are under way from the start.
  int64_t slots() const { return std::min(form.stages, steps()); }
  // Whether several threads of a warp have sums of one output.
  bool adds_up_lanes() const { return operands.along_k || threads.lanes != kWarp; }
  bool all_ahead() const { return slots() == steps(); }
  int64_t panels() const;  // parts of the vectors that are in shared memory one after the other
  // Pieces of what a thread reads of a vector, which then has another order in shared memory (x_at).
  int64_t pieces() const { return operands.along_k ? operands.chunk / piece : 1; }

  std::vector<NamedConstant> constants() const;
  std::vector<std::pair<std::string, std::string>> assertions() const;
  std::string shared() const;          // struct Shared
  std::string x_at() const;            // where an element of a vector is
  std::string sums_to_shared() const;  // after the steps
  std::string column_of() const;       // where sums of parts are that results are made of
  std::string launch() const;          // for the comment that opens the file
};

// Names that the text declares: neither parameters nor values may have them.
const std::set<std::string>& gemv_names();

}  // namespace sinter
