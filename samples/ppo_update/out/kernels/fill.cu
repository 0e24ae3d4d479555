// fill: broadcast over f32[4].
//
//   out  zeros_2   f32[4]
//
//   zeros_2 = 0
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
fill(float* __restrict__ zeros_2) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  zeros_2[element] = 0.0f;
}

}  // namespace

cudaError_t
enqueue(float* zeros_2, cudaStream_t stream) {
  return launch(fill, {.grid = 1, .block = kThreads}, stream, zeros_2);
}

}  // namespace ppo_update_kernels::fill
