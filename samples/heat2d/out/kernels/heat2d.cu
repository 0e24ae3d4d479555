// heat2d: dynamic-update-slice, add, multiply, subtract over f32[32,32].
//
//   in   u_in    f32[32,32]
//   out  u_out   f32[32,32]
//
//   add   = u_in[0:30,1:31] + u_in[2:32,1:31] + u_in[1:31,0:30]
//   add_1 = u_in[1:31,1:31] + (add + u_in[1:31,2:32] - u_in[1:31,1:31] * 4) * 0.2
//   u_out = u_in, with [1:31,1:31] replaced by add_1
//
// 32 blocks of 32 threads. Reads 4.1 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace heat2d_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
heat2d(const float* __restrict__ u_in, float* __restrict__ u_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 32;
  const int column = element % 32;

  const float u_value = u_in[element];
  float u_next = u_value;
  if (row >= 1 && row < 31 && column >= 1 && column < 31) {
    const float add = u_in[element - 32] + u_in[element + 32] + u_in[element - 1];
    u_next = fmaf(fmaf(-u_value, 4.0f, add + u_in[element + 1]), 0.2f, u_value);
  }

  u_out[element] = u_next;
}

}  // namespace

cudaError_t
launch_heat2d(const float* u_in, float* u_out, cudaStream_t stream) {
  return launch(heat2d, {.grid = kElements / kThreads, .block = kThreads}, stream, u_in, u_out);
}

}  // namespace heat2d_kernels
