// The domain of a kernel: which of its elements are threads, and which threads belong together. It is a decision of the
// schedule tree (schedule/tree/stage_domain.h); here is what a kernel demands under it, or why it cannot be so. Which
// domain is best is asked in choose_domain.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "passes/demand/demand.h"
#include "passes/demand/layers.h"

namespace sinter {

// A kernel as a set of values: what it computes, which of them others read.
struct KernelValues {
  DemandContext context;
  std::vector<const Instruction*> outputs;  // arrays: instructions, or get-tuple-elements of loops and variadic ops
};

struct MapDomain {
  std::vector<int64_t> extents;  // an element a thread; none is 1
  size_t of_block = 0;           // the last so many dimensions are a block's, whose threads reduce and share values
  int64_t width = 1;             // elements a thread takes instead, neighbours in memory (vectorize.h)
  int64_t tile = 0;              // elements along a side of the tiles that blocks take (map_tiles.cpp); 0: none
  bool maps_loops = false;       // loops whose steps need nothing of each other are threads (map_loop.h)
  bool operator==(const MapDomain&) const = default;
};

struct MapDemand {
  std::unique_ptr<DemandGraph> graph;  // finished; stores made
  MapDomain domain;
  std::vector<int> coordinates;  // of the domain
  int64_t threads = 1;           // of one element each
  int64_t block = 0;             // elements of a block whose threads work together; 0: none do
  Layers layers;                 // values that a thread has in arrays of its own
};

// The elements of the last value that a kernel computes, in the order of the text, one a thread: what a tree means that
// says nothing. Of several arrays (a loop's state) those of the largest, the first of these. It depends on no choice of
// ours, so that it stays what it is.
MapDomain default_map_domain(const DemandContext& context);

// With layers of these values, where they may be. nullopt with the reason in `failure`.
std::optional<MapDemand> demand_map(const KernelValues& kernel, const MapDomain& domain, const Layers& layers,
                                    std::optional<DemandGraph::Failure>* failure);

// In two steps, for who tries several domains: without scopes, giving up on a graph of more than `most_nodes`, ...
std::optional<MapDemand> try_map(const KernelValues& kernel, const MapDomain& domain, int64_t most_nodes,
                                 std::optional<DemandGraph::Failure>* failure);
// ... and the rest, with layers of `said`; of nullptr: with those that are best.
void finish_map(MapDemand* demand, const Layers* said);

// The loop that a thread runs for an output; with `maps_loops`, a loop whose steps need nothing of each other is none.
const Instruction* loop_of_output(const KernelValues& kernel, const Instruction* output, bool maps_loops);
// The outputs in the order of the text, but for results that loops stack up: those their steps store.
std::vector<const Instruction*> outputs_of_threads(const KernelValues& kernel, bool maps_loops);

struct RowDemand {
  std::unique_ptr<DemandGraph> graph;
  int row = 0, column = 0;  // coordinates
  RowExtents extents;
};

// An output of a row kernel that has at most so many elements of each row, but not one a column: statistics of a row,
// stacked up or side by side.
inline constexpr int64_t kFewOfARow = 8;

// The rows of the longest reduction of one array among these values, of several the one of most rows: what a tree means
// that says nothing. nullopt if there is none.
std::optional<RowExtents> default_rows(const std::set<const Instruction*>& values);

// Threads of a row together: every reduction over the elements of rows is cooperative. Fails unless each output has
// rows * columns elements, or a few of each row, and each reduction demanded is one of the row's; and gives up on a
// graph of more than `most_nodes`.
std::optional<RowDemand> demand_row(const KernelValues& kernel, const RowExtents& extents,
                                    std::optional<DemandGraph::Failure>* failure, int64_t most_nodes = INT64_MAX);

}  // namespace sinter
