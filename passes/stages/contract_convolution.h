// A convolution as matrix products: output features one way, positions the other, and in between the taps of a window
// with their input features. No element of a window is copied anywhere: a tile's threads load it from where it is.
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/contract.h"

namespace sinter {

// Which of the result's dimensions are matrices, rows and columns; in row-major order the result is [batch, m, n].
struct ConvolutionMatrices {
  std::vector<int64_t> batch, rows, columns;
  bool kernel_rows = false;   // the rows are the output features, else the columns are
  std::vector<int64_t> taps;  // the dimensions of the kernel that are summed over, in its order
  ContractExtents extents;
};

// nullopt for what is no convolution, and for one in groups.
std::optional<ConvolutionMatrices> convolution_matrices(const Instruction& convolution);

// What a tile's threads load of operand `side`, 0 for rows; a tap in padding is zero.
ContractOperand demand_convolution_operand(const KernelValues& kernel, const Instruction& convolution,
                                           const ConvolutionMatrices& matrices, size_t side);

}  // namespace sinter
