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

// True if a pass needs to know which columns its elements are.
bool uses_column(const DemandGraph& graph, const ColumnPhase& phase);

}  // namespace sinter
