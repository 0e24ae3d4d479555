// fill_2: broadcast over f32[32,32].
//
//   out  broadcast   f32[32,32]
//
//   broadcast = 0
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
fill_2(float* __restrict__ broadcast) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  broadcast[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_fill_2(float* broadcast, cudaStream_t stream) {
  return launch(fill_2, {.grid = kElements / kThreads, .block = kThreads}, stream, broadcast);
}

}  // namespace mandelbrot_kernels
