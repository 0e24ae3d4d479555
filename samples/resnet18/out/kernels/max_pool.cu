// max_pool: reduce-window over f32[2,8,8,8].
//
//   in   x         f32[2,16,16,8]
//   out  x_2_out   f32[2,8,8,8]
//
//   x_2_out = reduce-window(x, -inf), window={size=1x3x3x1 stride=1x2x2x1 pad=0_0x0_1x0_1x0_0},
//             to_apply=maximum
//
// 32 blocks of 32 threads. Reads 16.4 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::max_pool {
namespace {

constexpr int kI = 2;
constexpr int kJ = 8;
constexpr int kK = 8;
constexpr int kL = 8;
constexpr int kElements = kI * kJ * kK * kL;  // 1024
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
max_pool(const float* __restrict__ x, float* __restrict__ x_2_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  float x_2 = -INFINITY;
  for (int k_1 = 0; k_1 < 3; ++k_1) {
    const int in_row = j * 2 + k_1;
    if (in_row >= 16) continue;
    for (int k_2 = 0; k_2 < 3; ++k_2) {
      const int in_column = k * 2 + k_2;
      if (in_column >= 16) continue;
      x_2 = maximum(x_2, x[((i * 16 + in_row) * 16 + in_column) * kL + l]);
    }
  }

  x_2_out[element] = x_2;
}

}  // namespace

cudaError_t
enqueue(const float* x, float* x_2_out, cudaStream_t stream) {
  return launch(max_pool, {.grid = kElements / kThreads, .block = kThreads}, stream, x, x_2_out);
}

}  // namespace resnet18_kernels::max_pool
