// min_2: minimum over f32[32].
//
//   in   min_in    f32[32]
//   in   max       f32[32]
//   out  min_out   f32[32]
//
//   min_out = minimum(min_in, max)
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
min_2(const float* __restrict__ min_in,
      const float* __restrict__ max,
      float* __restrict__ min_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  min_out[element] = minimum(min_in[element], max[element]);
}

}  // namespace

cudaError_t
launch_min_2(const float* min_in, const float* max, float* min_out, cudaStream_t stream) {
  return launch(min_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                min_in, max, min_out);
}

}  // namespace ppo_update_kernels
