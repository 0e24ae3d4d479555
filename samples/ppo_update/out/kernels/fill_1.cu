// fill_1: broadcast over f32[2,4].
//
//   out  broadcast   f32[2,4]
//
//   broadcast = 0
//
// One block of 32 threads. Reads 0 B, writes 32 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 8;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
fill_1(float* __restrict__ broadcast) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  broadcast[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_fill_1(float* broadcast, cudaStream_t stream) {
  return launch(fill_1, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                broadcast);
}

}  // namespace ppo_update_kernels
