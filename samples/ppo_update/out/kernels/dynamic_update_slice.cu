// dynamic_update_slice: dynamic-update-slice over f32[2,4].
//
//   in   sub      f32[4]
//   out  result   f32[2,4]
//
//   result = result, with [t,:] replaced by sub
//
// One block of 32 threads. Reads 16 B, writes 16 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::dynamic_update_slice {
namespace {

constexpr int kElements = 4;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__global__ void __launch_bounds__(kThreads)
dynamic_update_slice(const float* __restrict__ sub, float* __restrict__ result, int t) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  result[t * kElements + element] = sub[element];
}

}  // namespace

cudaError_t
enqueue(const float* sub, float* result, int t, cudaStream_t stream) {
  return launch(dynamic_update_slice, {.grid = 1, .block = kThreads}, stream, sub, result, t);
}

}  // namespace ppo_update_kernels::dynamic_update_slice
