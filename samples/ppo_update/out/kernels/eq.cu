// eq: compare over pred[32].
//
//   in   exponential   f32[32]
//   in   max           f32[32]
//   out  eq_out        pred[32]
//
//   eq_out = exponential == max
//
// One block of 32 threads. Reads 256 B, writes 32 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
eq(const float* __restrict__ exponential,
   const float* __restrict__ max,
   bool* __restrict__ eq_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  eq_out[element] = exponential[element] == max[element];
}

}  // namespace

cudaError_t
launch_eq(const float* exponential, const float* max, bool* eq_out, cudaStream_t stream) {
  return launch(eq, {.grid = kElements / kThreads, .block = kThreads}, stream,
                exponential, max, eq_out);
}

}  // namespace ppo_update_kernels
