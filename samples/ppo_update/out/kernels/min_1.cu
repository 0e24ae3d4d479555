// min_1: broadcast over f32[32].
//
//   out  min   f32[32]
//
//   min = 1.2
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
min_1(float* __restrict__ min) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  min[element] = 1.2f;
}

}  // namespace

cudaError_t
launch_min_1(float* min, cudaStream_t stream) {
  return launch(min_1, {.grid = kElements / kThreads, .block = kThreads}, stream, min);
}

}  // namespace ppo_update_kernels
