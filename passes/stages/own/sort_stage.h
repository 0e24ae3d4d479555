// Sorting stages: rows along one dimension, each sorted by itself, stably. A row of up to kThreadColumns elements, of
// very many rows up to twice that, is sorted by one thread, one that fits a tile by one block; longer rows are sorted
// tile by tile, and then levels of merges make of every `ways` sorted runs one.
#pragma once

#include <memory>

#include "passes/stages/own/own_stage.h"

namespace sinter {

struct SortForm {
  enum class Kind : uint8_t { kThread, kBlock, kMerge };
  Kind kind = Kind::kThread;
  int64_t threads = 32;  // of a block
  int64_t items = 1;     // elements a thread sorts
  int64_t tile = 1;      // kMerge: elements a block sorts
  int64_t tiles = 1;     // of a row
  int64_t ways = 1;      // runs that a level merges into one
  int64_t levels = 0;
};

// A block that sorts a row of up to 4,096 elements by itself, one of `rows`; of `bytes` bytes each.
struct SortingBlock {
  int64_t threads = 32;
  int64_t items = 1;  // elements a thread sorts
};
SortingBlock sorting_block(int64_t rows, int64_t columns, int64_t bytes);

// How `rows` rows of `columns` elements of `bytes` bytes are sorted. Elements move whole; nullopt: they are too large.
std::optional<SortForm> sort_form(int64_t rows, int64_t columns, int64_t bytes);

// Rows along dimension `dimension` of `shape`: element (row, column) is at row / inner * columns * inner +
// column * inner + row % inner.
struct SortRows {
  int64_t rows = 1, columns = 1, inner = 1;
};
SortRows sort_rows(const Shape& shape, int64_t dimension);

struct SortDemand {
  const Instruction* sort = nullptr;
  SortRows rows;
  SortForm form;
  int64_t bytes = 0;                   // of an element
  std::vector<size_t> fields;          // operands that are part of an element: the comparator or somebody reads them
  std::unique_ptr<DemandGraph> graph;  // results: a node a field, at (row, column)
  int row = 0, column = 0;             // coordinates
};

std::optional<SortDemand> demand_sort(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

// True if the comparator reads the operand.
bool is_compared(const Instruction& sort, size_t operand);

// The position among a row's elements as an index into a whole array (SortRows).
std::vector<IndexExpr> row_index(const DemandGraph& graph, int row, int column, const Shape& shape, int64_t dimension);

}  // namespace sinter
