// updated: dynamic-update-slice over f32[2,4].
//
//   in   difference   f32[4]
//   out  result       f32[2,4]
//
//   result = result, with [t,:] replaced by difference
//
// One block of 32 threads. Reads 16 B, writes 16 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::updated {
namespace {

constexpr int kElements = 4;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__global__ void __launch_bounds__(kThreads)
updated(const float* __restrict__ difference, float* __restrict__ result, int t) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  result[t * kElements + element] = difference[element];
}

}  // namespace

cudaError_t
enqueue(const float* difference, float* result, int t, cudaStream_t stream) {
  return launch(updated, {.grid = 1, .block = kThreads}, stream, difference, result, t);
}

}  // namespace ppo_update_kernels::updated
