// max_pool: reduce-window over f32[2,8,8,8].
//
//   in   max_in    f32[2,16,16,8]
//   out  max_out   f32[2,8,8,8]
//
//   max_out = reduce-window(max_in, -inf),
//             window={size=1x3x3x1 stride=1x2x2x1 pad=0_0x0_1x0_1x0_0}, to_apply=maximum
//
// 32 blocks of 32 threads. Reads 16.4 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
max_pool(const float* __restrict__ max_in, float* __restrict__ max_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 512;
  const int j = element / 64 % 8;
  const int k = element / 8 % 8;
  const int l = element % 8;

  float max_next = -INFINITY;
  for (int k_1 = 0; k_1 < 3; ++k_1) {
    const int in_row = j * 2 + k_1;
    if (in_row >= 16) continue;
    for (int k_2 = 0; k_2 < 3; ++k_2) {
      const int in_column = k * 2 + k_2;
      if (in_column >= 16) continue;
      max_next = maximum(max_next, max_in[i * 2048 + in_row * 128 + in_column * 8 + l]);
    }
  }

  max_out[element] = max_next;
}

}  // namespace

cudaError_t
launch_max_pool(const float* max_in, float* max_out, cudaStream_t stream) {
  return launch(max_pool, {.grid = kElements / kThreads, .block = kThreads}, stream,
                max_in, max_out);
}

}  // namespace resnet18_kernels
