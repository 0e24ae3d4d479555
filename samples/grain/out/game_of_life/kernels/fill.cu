// fill: broadcast over s32[100].
//
//   out  for_   s32[100]
//
//   for_ = 0
//
// 4 blocks of 32 threads. Reads 0 B, writes 400 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace life_kernels::fill {
namespace {

constexpr int kElements = 100;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
fill(int* __restrict__ for_) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  for_[element] = 0;
}

}  // namespace

cudaError_t
enqueue(int* for_, cudaStream_t stream) {
  return launch(fill, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                for_);
}

}  // namespace life_kernels::fill
