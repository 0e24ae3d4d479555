// fill: broadcast over f32[4].
//
//   out  zeros   f32[4]
//
//   zeros = 0
//
// One block of 32 threads. Reads 0 B, writes 16 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::fill {
namespace {

constexpr int kElements = 4;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__global__ void __launch_bounds__(kThreads)
fill(float* __restrict__ zeros) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  zeros[element] = 0.0f;
}

}  // namespace

cudaError_t
enqueue(float* zeros, cudaStream_t stream) {
  return launch(fill, {.grid = 1, .block = kThreads}, stream, zeros);
}

}  // namespace ppo_update_kernels::fill
