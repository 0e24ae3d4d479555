// broadcast_in_dim: broadcast over s32[32,32].
//
//   out  broadcast_in_dim_out   s32[32,32]
//
//   broadcast_in_dim_out = 0
//
// 32 blocks of 32 threads. Reads 0 B, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace mandelbrot_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
broadcast_in_dim(int* __restrict__ broadcast_in_dim_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  broadcast_in_dim_out[element] = 0;
}

}  // namespace

cudaError_t
launch_broadcast_in_dim(int* broadcast_in_dim_out, cudaStream_t stream) {
  return launch(broadcast_in_dim, {.grid = kElements / kThreads, .block = kThreads}, stream,
                broadcast_in_dim_out);
}

}  // namespace mandelbrot_kernels
