// Cumulative windows: a reduce-window whose windows all begin (or all end) where a dimension does. Its kernel combines
// every element once, a block a row; what stands before it is computed where elements are loaded, what stands after it
// where results are stored.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "passes/stages/domain/domain.h"

namespace sinter {

inline constexpr std::string_view kScan = "scan";

struct ScanExtents {
  int64_t dimension = 0;
  int64_t rows = 1, columns = 1;  // a row is the elements along the dimension
  bool reverse = false;           // windows end where the dimension does
};

// nullopt for other windows, for short ones, and for combiners of more than one operation.
std::optional<ScanExtents> scan_extents(const Instruction& window);
// The threads of a row.
int64_t scan_block(const ScanExtents& extents);
inline bool is_scan(const Instruction& instruction) { return scan_extents(instruction).has_value(); }

struct ScanDemand {
  const Instruction* scan = nullptr;
  Literal init;
  ScanExtents extents;
  int64_t tile = 0;  // elements of a row that a block takes; 0: all (scan_tile.h)
  // The kernel as one thread an element would compute it: what is read and written.
  std::unique_ptr<DemandGraph> graph;
  std::unique_ptr<DemandGraph> operand;  // results: the scan's operand at (row, column)
  // From the scan's element at (row, column) to the stores. `elements` are it: parameters of this graph.
  std::unique_ptr<DemandContext> epilogue_context;
  std::unique_ptr<DemandGraph> epilogue;
  std::vector<NodeId> elements;
  int row = 0, column = 1;  // coordinates of both graphs
};

// Fails unless the kernel's values are one scan and what belongs to it element by element. Of whole rows.
std::optional<ScanDemand> demand_scan(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
