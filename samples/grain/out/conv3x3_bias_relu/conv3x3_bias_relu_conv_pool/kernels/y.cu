// y: reduce-window over f32[2,4,4,8].
//
//   in   z       f32[2,7,7,8]
//   out  y_out   f32[2,4,4,8]
//
//   y_out = reduce-window(z, -inf), window={size=1x2x2x1 stride=1x2x2x1 pad=0_0x0_1x0_1x0_0},
//           to_apply=maximum
//
// 8 blocks of 32 threads. Reads 3.1 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace conv3x3_bias_relu_conv_pool_kernels::y {
namespace {

constexpr int kI = 2;
constexpr int kJ = 4;
constexpr int kK = 4;
constexpr int kL = 8;
constexpr int kElements = kI * kJ * kK * kL;  // 256
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
y(const float* __restrict__ z, float* __restrict__ y_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  float y = -INFINITY;
  for (int k_1 = 0; k_1 < 2; ++k_1) {
    const int in_row = j * 2 + k_1;
    if (in_row >= 7) continue;
    for (int k_2 = 0; k_2 < 2; ++k_2) {
      const int in_column = k * 2 + k_2;
      if (in_column >= 7) continue;
      y = maximum(y, z[((i * 7 + in_row) * 7 + in_column) * kL + l]);
    }
  }

  y_out[element] = y;
}

}  // namespace

cudaError_t
enqueue(const float* z, float* y_out, cudaStream_t stream) {
  return launch(y, {.grid = kElements / kThreads, .block = kThreads}, stream, z, y_out);
}

}  // namespace conv3x3_bias_relu_conv_pool_kernels::y
