// Contractions as matrix products: a dot or convolution is, for each element of its batch dimensions, an m x k matrix
// times a k x n matrix, and its result in row-major order is [batch, m, n]. A contract kernel computes one dot in tiles
// of (m, n); what stands before the dot is computed where a tile's operands are loaded, what stands after it where the
// results are stored.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "passes/stages/domain.h"

namespace sinter {

inline constexpr int64_t kContractTile = 16;  // rows and columns of results that a block of threads makes

struct ContractExtents {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  bool operator==(const ContractExtents&) const = default;
};

// nullopt for what is no dot or convolution, for convolutions in groups, and for types that have no sum of products
// (pred).
std::optional<ContractExtents> contract_extents(const Instruction& dot);

// True for a dot that is large enough for tiles. Vectors and small matrices are better off with a thread an element.
bool is_contraction(const Instruction& instruction);

// True for an elementwise value made of a contraction with as many elements: one that its kernel can store for it.
bool follows_contraction(const Instruction& value);

// One operand of the dot as a tile's threads load it: its value at (batch, outer, k), where outer is m or n.
struct ContractOperand {
  std::unique_ptr<DemandGraph> graph;  // results: the one value
  int batch = 0, outer = 0, k = 0;     // coordinates
  bool is_matrix = true;               // its strides are the extents; not so the input of a convolution
  bool k_contiguous = true;            // neighbours in memory differ in k, not in m or n
};

struct ContractDemand {
  const Instruction* dot = nullptr;  // or convolution
  ContractExtents extents;
  // The kernel as one thread an element would compute it: what is read and written.
  std::unique_ptr<DemandGraph> graph;
  ContractOperand operands[2];
  // From the dot's element (batch, m, n) to the stores. `products` are the dot's element: parameters of this graph.
  std::unique_ptr<DemandContext> epilogue_context;
  std::unique_ptr<DemandGraph> epilogue;
  std::vector<NodeId> products;
  int batch = 0, row = 0, column = 0;  // coordinates of `epilogue`
};

// Fails unless the kernel's values are one dot and what belongs to it element by element: every output has the dot's
// elements, in their order, nothing else sums in a loop, and the operands are no sums.
std::optional<ContractDemand> demand_contract(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

// The blocks of a contract kernel, one a tile.
struct ContractGrid {
  int64_t rows = 1, columns = 1;  // tiles of one matrix
  bool folded = false;            // more than grid dimensions y and z can count: all tiles along x
  int64_t grid[3] = {1, 1, 1};
};
ContractGrid contract_grid(const ContractExtents& extents, int64_t tile);

}  // namespace sinter
