// fill: broadcast over f32[40,3].
//
//   out  broadcast_in_dim   f32[40,3]
//
//   broadcast_in_dim = 0
//
// 4 blocks of 32 threads. Reads 0 B, writes 480 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace lorenz_rk4_kernels {
namespace {

constexpr int kElements = 120;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
fill(float* __restrict__ broadcast_in_dim) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  broadcast_in_dim[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_fill(float* broadcast_in_dim, cudaStream_t stream) {
  return launch(fill, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                broadcast_in_dim);
}

}  // namespace lorenz_rk4_kernels
