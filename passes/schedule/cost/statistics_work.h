// Counting what the statistics of a product's vectors take, which each of its blocks makes for those that it has
// (passes/stages/products/row_statistics.h).
#pragma once

#include <vector>

#include "ir/kernel/work.h"
#include "passes/stages/products/row_statistics.h"

namespace sinter {

class StatisticsWork {
 public:
  explicit StatisticsWork(const RowStatistics& statistics);
  // Adds that of so many blocks to `work`; the cycles that a thread needs for its part.
  double add_to(const StatisticsThreads& threads, double blocks, Work* work) const;
  // The same of rows of results, whose products lie in shared memory, `words` each.
  double add_rows(const StatisticsThreads& threads, int64_t length, double blocks, double words, Work* work) const;

 private:
  struct Phase {
    Work term, numbers;  // of a term of each, and of what is made of the sums for a vector
    double terms = 0;    // of each
    double bytes = 0;    // that a term reads
    double statistics = 1;
  };
  std::vector<Phase> phases_;
  const double width_;
};

}  // namespace sinter
