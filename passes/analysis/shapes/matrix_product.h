// Dots and convolutions as matrix products: for each element of its batch dimensions, an m x k matrix times a k x n
// matrix, with a result that in row-major order is [batch, m, n], or [m, batch, n] for a convolution in groups whose
// features stand last.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

inline constexpr int64_t kContractTile = 16;  // rows and columns of results that a block of threads makes

struct ContractExtents {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  bool operator==(const ContractExtents&) const = default;
};

// nullopt for what is no dot or convolution, for convolutions of a feature a channel whose features stand last, and for
// types that have no sum of products (pred).
std::optional<ContractExtents> contract_extents(const Instruction& dot);

// True for a dot that is large enough for tiles. Vectors and small matrices are better off with a thread an element.
bool is_contraction(const Instruction& instruction);

// True for one that is large enough but for the terms of its sums, which are few, as in the first layer of a policy
// that sees four numbers. Of many elements tiles are better, of fewer, or where it is part of a loop's step, a thread
// an element: the cost model says which.
bool is_shallow_product(const Instruction& instruction);

// True for a convolution that has many results and long sums, but few channels to sum up to, as the last layer of a
// model that makes images: a thread an element, in whatever kernel reads it, or tiles that are partly empty, as the
// cost model says.
bool is_narrow_convolution(const Instruction& instruction);

// True for an elementwise value made of a contraction with as many elements: one that its kernel can store for it.
bool follows_contraction(const Instruction& value);

// Which of the result's dimensions are matrices, rows and columns.
struct ConvolutionMatrices {
  std::vector<int64_t> batch, rows, columns;
  int64_t groups = 1;         // of features, or of the input's batch: a matrix each, of the group's features
  bool kernel_rows = false;   // the rows are the output features, else the columns are
  bool between = false;       // a row's groups lie side by side: the result is [m, batch, n]
  std::vector<int64_t> taps;  // the dimensions of the kernel that are summed over, in its order
  ContractExtents extents;
};

// nullopt for what is no convolution, and for one of a feature a channel whose features stand last.
std::optional<ConvolutionMatrices> convolution_matrices(const Instruction& convolution);

// The blocks of a contract kernel, one a tile.
struct ContractGrid {
  int64_t rows = 1, columns = 1;  // tiles of one matrix
  bool folded = false;            // more than grid dimensions y and z can count: all tiles along x
  int64_t grid[3] = {1, 1, 1};
};
ContractGrid contract_grid(const ContractExtents& extents, int64_t tile_m, int64_t tile_n);
inline ContractGrid contract_grid(const ContractExtents& extents, int64_t tile) {
  return contract_grid(extents, tile, tile);
}

}  // namespace sinter
