// Which columns count in a row's results, as a mask in the graph of weights says: where these may be other than 0, of
// sums, or other than one number, of the largest.
#pragma once

#include <optional>
#include <set>

#include "passes/demand/demand.h"

namespace sinter {

struct WeighedColumns {
  // The first and the last one that a row has: of coordinates batch and row (chain.h), neither falls with the row.
  std::optional<IndexExpr> first, last;
  // What has to be larger than `bound` for that, a number of each row or each column: exp(-1e10 - it) is 0 then.
  struct Condition {
    const Instruction* array = nullptr;
    IndexExpr at;  // which element: of batch and row, or of batch and column
    double bound = 0;
  };
  std::vector<Condition> conditions;
  double others = 0;  // weights of columns that do not count
};

// Of all results of `weights`, whose coordinates are batch, row and column; `largest`: these are the largest of a row.
// `by_sums`: divisions by what is at least 1; by anything else 0 may be no number. nullopt: all columns count.
std::optional<WeighedColumns> weighed_columns(const DemandGraph& weights, int64_t columns, bool largest,
                                              const std::set<const Instruction*>& by_sums);

}  // namespace sinter
