// Loop fusion: an array of the thread's own that one loop fills, and short reductions read in order, is not made.
//
//   float y[64];                                   float sum[2] = {};
//   for (int k = 0; k < 64; ++k) {                 for (int k = 0; k < 64; ++k) {
//     ...                                            ...
//     y[k] = tanhf(dot);                             const float y = tanhf(dot);
//   }                                                for (int j = 0; j < 2; ++j) {
//   for (int j = 0; j < 2; ++j) {              =>      sum[j] = fmaf(y, w[k * 2 + j], sum[j]);
//     float sum = 0.0f;                              }
//     for (int k = 0; k < 64; ++k) {               }
//       sum = fmaf(y[k], w[k * 2 + j], sum);       for (int j = 0; j < 2; ++j) {
//     }                                              b[j] + sum[j] ...
//     b[j] + sum ...                               }
//   }
//
// Each sum takes its terms in the order it took them in.
#pragma once

#include "ir/kernel/kernel.h"

namespace sinter {

// Joins the loops of a block. Fill loops may be jammed (jam_loop.h).
void join_fills(Kernel* kernel, Block* block);

}  // namespace sinter
