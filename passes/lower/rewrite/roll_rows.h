// Rows that a thread carries through a loop, written out element by element, as arrays and loops over them.
//
//   float p_1 = p_in[row * 64];                         float p[64];
//   float p_2 = p_in[row * 64 + 1];                     #pragma unroll
//   ...                                           =>    for (int k = 0; k < 64; ++k) p[k] = p_in[row * 64 + k];
//
// All loops are unrolled: the arrays are registers. What is computed stays what it was, in an order that gives the
// same.
#pragma once

#include <vector>

#include "ir/kernel/kernel.h"

namespace sinter {

// Variables that hold a row, one for each of its elements.
using RowOfVariables = std::vector<Variable*>;

// Of those of `rows` that have more than a few elements and are declared and assigned alike, element by element. Any
// other stays as it is.
void roll_rows(Kernel* kernel, const std::vector<RowOfVariables>& rows, Block* block);

}  // namespace sinter
