// A convolution as matrix products: output features one way, positions the other, and in between the taps of a window
// with their input features. No element of a window is copied anywhere: a tile's threads load it from where it is.
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/products/contract.h"

namespace sinter {

// What a tile's threads load of operand `side`, 0 for rows; a tap in padding is zero.
ContractOperand demand_convolution_operand(const KernelValues& kernel, const Instruction& convolution,
                                           const ConvolutionMatrices& matrices, size_t side);

}  // namespace sinter
