// Loop fusion: loops that need nothing of each other, run over the same steps and read the same operand are one loop.
// What their steps compute alike stands there once.
//
//   float up = 0.0f;                                    float up = 0.0f;
//   for (int k = 0; k < 64; ++k) {                      float gate = 0.0f;
//     up = fmaf(x[k], w[k * 8 + column], up);           for (int k = 0; k < 64; ++k) {
//   }                                               =>    const float x_value = x[k];
//   float gate = 0.0f;                                    up = fmaf(x_value, w[k * 8 + column], up);
//   for (int k = 0; k < 64; ++k) {                        gate = fmaf(x_value, v[k * 8 + column], gate);
//     gate = fmaf(x[k], v[k * 8 + column], gate);       }
//   }
//
// Each sum takes its terms in the order it took them in.
#pragma once

#include "ir/kernel/kernel.h"

namespace sinter {

// Joins such loops of a block.
void join_loops(Kernel* kernel, Block* block);

}  // namespace sinter
