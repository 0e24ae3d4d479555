// fill_1: broadcast over s32[32,32].
//
//   out  broadcast_in_dim   s32[32,32]
//
//   broadcast_in_dim = 0
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
fill_1(int* __restrict__ broadcast_in_dim) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  broadcast_in_dim[element] = 0;
}

}  // namespace

cudaError_t
launch_fill_1(int* broadcast_in_dim, cudaStream_t stream) {
  return launch(fill_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                broadcast_in_dim);
}

}  // namespace mandelbrot_kernels
