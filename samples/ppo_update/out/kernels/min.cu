// min: minimum over f32[32].
//
//   in   max       f32[32]
//   out  min_out   f32[32]
//
//   min_out = minimum(1.2, max)
//
// One block of 32 threads. Reads 128 B, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
min(const float* __restrict__ max, float* __restrict__ min_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  min_out[element] = minimum(1.2f, max[element]);
}

}  // namespace

cudaError_t
launch_min(const float* max, float* min_out, cudaStream_t stream) {
  return launch(min, {.grid = kElements / kThreads, .block = kThreads}, stream, max, min_out);
}

}  // namespace ppo_update_kernels
