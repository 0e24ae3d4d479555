// max_1: broadcast over f32[32].
//
//   out  max   f32[32]
//
//   max = 0.8
//
// One block of 32 threads. Reads 0 B, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
max_1(float* __restrict__ max) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  max[element] = 0.8f;
}

}  // namespace

cudaError_t
launch_max_1(float* max, cudaStream_t stream) {
  return launch(max_1, {.grid = kElements / kThreads, .block = kThreads}, stream, max);
}

}  // namespace ppo_update_kernels
