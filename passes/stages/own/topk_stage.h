// Top-k stages: the first k of each row by value, equal values by position. A row of a few elements is sorted by one
// thread, one that fits a tile by one block. Of a longer row a block reads a slice and keeps the best k on the way.
// What it reads first gives a bound, the k-th of its threads' best, which few elements pass: these are kept, and sorted
// at the end or when they are many. Where rows are few, they have several slices, and a second kernel makes of their
// best the row's.
#pragma once

#include <memory>

#include "passes/stages/own/own_stage.h"

namespace sinter {

struct TopkForm {
  enum class Kind : uint8_t { kThread, kBlock, kSelect };
  Kind kind = Kind::kThread;
  int64_t threads = 32;  // of a block
  int64_t items = 1;     // elements a thread sorts
  int64_t sampled = 0;   // kSelect: elements that a first bound is of; 0: all
  int64_t chunk = 0;     // kSelect: elements that are read before room is made for more
  int64_t slices = 1;    // kSelect: of a row
  int64_t slice = 0;     // elements of one
};

struct TopkDemand {
  const Instruction* topk = nullptr;
  int64_t rows = 1, columns = 1, k = 1;
  TopkForm form;
  TopkForm join;                       // where a row has several slices: of their best elements
  std::unique_ptr<DemandGraph> graph;  // results: the value at (row, column)
  int row = 0, column = 0;             // coordinates
};

// Of all blocks: of rows' slices, and of those that join them. What elements are computed from is not counted.
Work topk_work(const TopkDemand& demand);
Work topk_join_work(const TopkDemand& demand);

std::optional<TopkDemand> demand_topk(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
