// Unroll and jam: neighbouring iterations of a loop, which need nothing of each other, are made together.
//
//   for (int k = 0; k < 64; ++k) {          for (int k = 0; k < 64; k += 4) {
//     float dot = 0.0f;                       float dot[4] = {};
//     for (int m = 0; m < 64; ++m) {          for (int m = 0; m < 64; ++m) {
//       dot = fmaf(a[m], w[m * 64 + k],  =>     const Vector<float, 4> w_values = load_vector<4>(w + (m * 64 + k));
//                  dot);                        for (int i = 0; i < 4; ++i) dot[i] = fmaf(a[m], w_values[i], dot[i]);
//     }                                       }
//     y[k] = tanhf(dot);                      for (int i = 0; i < 4; ++i) y[k + i] = tanhf(dot[i]);
//   }                                       }
//
// So there are several chains of dependent operations, not one, and one load for what several chains read.
#pragma once

#include <cstdint>

#include "ir/kernel/kernel.h"

namespace sinter {

// False, and nothing changes, where `width` does not divide the trip count, or the loop's body holds what cannot be
// made for several iterations together.
bool jam_loop(Kernel* kernel, int64_t width, Statement* loop);

}  // namespace sinter
