// The domain of a kernel: which dimensions are spread over threads. Built and tried through the demand graph, by the
// scheduler to see whether and at what cost a grouping is possible, and again by lowering, with the same answer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// A kernel as a set of values: what it computes, which of them others read.
struct KernelValues {
  DemandContext context;
  std::vector<const Instruction*> outputs;  // arrays: instructions, or get-tuple-elements of loops and variadic ops
};

struct MapDemand {
  std::unique_ptr<DemandGraph> graph;  // finished; stores made
  std::vector<int> coordinates;        // of the threads' domain
  int64_t threads = 1;
  bool maps_loops = false;  // loops whose steps need nothing of each other are threads (map_loop.h)
  int64_t block = 0;  // so many threads, along the last coordinates, reduce and share values as a block; 0: none do
};

// One thread an element of the domain. Loops whose elements need each other are run by blocks where no
// other way is found, or one that takes longer. nullopt with the reason in `failure`, also for a graph of more than
// `most_nodes`.
std::optional<MapDemand> demand_map(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure,
                                    int64_t most_nodes = INT64_MAX);

struct RowDemand {
  std::unique_ptr<DemandGraph> graph;
  int row = 0, column = 0;  // coordinates
  RowExtents extents;
};

// An output of a row kernel that has at most so many elements of each row, but not one a column: statistics of a row,
// stacked up or side by side.
inline constexpr int64_t kFewOfARow = 8;

// Threads of a row together: every reduction over the elements of rows is cooperative. Fails unless each output has
// rows * columns elements, or a few of each row, and each reduction demanded is one of the row's.
std::optional<RowDemand> demand_row(const KernelValues& kernel, const RowExtents& extents,
                                    std::optional<DemandGraph::Failure>* failure);

// The rows of a reduction over neighbouring dimensions: the innermost ones, or, where many elements are reduced to few
// results, others. nullopt for any other reduction.
std::optional<RowExtents> row_extents(const Instruction& value);
// The same of a reduction over more than kShortReduction columns, whose kernel is one of rows; of no other value.
std::optional<RowExtents> long_row_extents(const Instruction& value);
// The longest rows that values of the set are reductions of (of those, the most); nullopt if there are none.
std::optional<RowExtents> longest_rows(const std::set<const Instruction*>& values);

}  // namespace sinter
