// fill: broadcast over f32[24,24].
//
//   out  broadcast_in_dim   f32[24,24]
//
//   broadcast_in_dim = 0
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
fill(float* __restrict__ broadcast_in_dim) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  broadcast_in_dim[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_fill(float* broadcast_in_dim, cudaStream_t stream) {
  return launch(fill, {.grid = kElements / kThreads, .block = kThreads}, stream, broadcast_in_dim);
}

}  // namespace conjugate_gradient_kernels
