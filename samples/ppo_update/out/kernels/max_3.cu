// max_3: maximum over f32[32].
//
//   in   max_in        f32[32]
//   in   exponential   f32[32]
//   out  max_out       f32[32]
//
//   max_out = maximum(max_in, exponential)
//
// One block of 32 threads. Reads 256 B, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
max_3(const float* __restrict__ max_in,
      const float* __restrict__ exponential,
      float* __restrict__ max_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  max_out[element] = maximum(max_in[element], exponential[element]);
}

}  // namespace

cudaError_t
launch_max_3(const float* max_in, const float* exponential, float* max_out, cudaStream_t stream) {
  return launch(max_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                max_in, exponential, max_out);
}

}  // namespace ppo_update_kernels
