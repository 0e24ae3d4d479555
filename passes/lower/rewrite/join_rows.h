// Loops over rows of a thread's own (roll_rows.h) that follow each other, as one.
//
//   float kept[64];                                          #pragma unroll
//   #pragma unroll                                           for (int k = 0; k < 64; ++k) {
//   for (int k = 0; k < 64; ++k) kept[k] = p[k] * w[k];   =>   const float kept = p[k] * w[k];
//   #pragma unroll                                             p[k] = fmaf(x, y[k], kept);
//   for (int k = 0; k < 64; ++k) p[k] = fmaf(x, y[k], kept[k]);  }
//
// That is where they need of each other no other element than their own.
#pragma once

#include "ir/kernel/kernel.h"

namespace sinter {

// Those that count `counter`.
void join_rows(Kernel* kernel, const Variable* counter, Block* block);

}  // namespace sinter
