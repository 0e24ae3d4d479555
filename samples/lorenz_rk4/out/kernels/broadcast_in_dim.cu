// broadcast_in_dim: broadcast over f32[40,3].
//
//   out  broadcast_in_dim_out   f32[40,3]
//
//   broadcast_in_dim_out = 0
//
// 4 blocks of 32 threads. Reads 0 B, writes 480 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace lorenz_rk4_kernels {
namespace {

constexpr int kElements = 120;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
broadcast_in_dim(float* __restrict__ broadcast_in_dim_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  broadcast_in_dim_out[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_broadcast_in_dim(float* broadcast_in_dim_out, cudaStream_t stream) {
  return launch(broadcast_in_dim,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, broadcast_in_dim_out);
}

}  // namespace lorenz_rk4_kernels
