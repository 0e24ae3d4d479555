// Rows that are read and written as vectors: a thread's elements are groups of neighbours.
//
//   for (int k = 0; k < kPerThread; k += kWidth) {
//     const int first_column = k * kThreads + threadIdx.x * kWidth;
//     const Vector<float, kWidth> x_vector = load_vector<kWidth>(x + (row * kColumns + first_column));
//     for (int i = 0; i < kWidth; ++i) {
//       x_values[k + i] = x_vector[i];
#pragma once

#include <cstdint>

#include "passes/demand/demand.h"

namespace sinter {

// How many neighbours of the `slots` elements of a thread go into one access of up to 16 bytes: a power of two that
// divides `slots`; 1 where no access of the row is contiguous. The graph has its phases (split_phases.h).
int64_t row_vector_width(const DemandGraph& graph, int64_t slots);

// True if some phase of the row accesses such an offset by vectors.
bool is_row_vector(const DemandGraph& graph, const IndexExpr& offset, int64_t width);

// True if a pass needs to know which columns its elements are.
bool uses_column(const DemandGraph& graph, const ColumnPhase& phase);

}  // namespace sinter
