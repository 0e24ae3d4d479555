// broadcast_in_dim: broadcast over f32[24,24].
//
//   out  broadcast_in_dim   f32[24,24]
//
// 18 blocks of 32 threads. Reads 0 B, writes 2.3 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kElements = 576;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
broadcast_in_dim(float* __restrict__ broadcast_in_dim_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  broadcast_in_dim_out[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_broadcast_in_dim(float* broadcast_in_dim_out, cudaStream_t stream) {
  return launch(broadcast_in_dim, {.grid = kElements / kThreads, .block = kThreads}, stream,
                broadcast_in_dim_out);
}

}  // namespace conjugate_gradient_kernels
