// What the numbers of a convolution's indices are called: `k / 21`, of a window of 7 x 7 with 3 channels, is
// `k / kWindowRow`.
#pragma once

#include <map>
#include <string>

#include "ir/kernel/kernel.h"
#include "passes/analysis/shapes/matrix_product.h"
#include "passes/demand/demand.h"

namespace sinter {

// By the number, of the indices of an operand, the input or the window, whose elements `graph` makes. A name stands for
// one thing: of two that are as large as one another neither has one, but for the sides of an image.
std::map<int64_t, NamedConstant> convolution_numbers(const Instruction& convolution,
                                                     const ConvolutionMatrices& matrices, const DemandGraph& graph,
                                                     bool of_input);

// What rows, columns and terms of the product count, for the kernel's opening comment: a sentence behind a blank.
std::string convolution_text(const Instruction& convolution, const ConvolutionMatrices& matrices);

}  // namespace sinter
