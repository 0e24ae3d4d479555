// ppo_update_6: broadcast over f32[4].
//
//   out  broadcast   f32[4]
//
//   broadcast = 0
//
// One block of 32 threads. Reads 0 B, writes 16 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 4;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
ppo_update_6(float* __restrict__ broadcast) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  broadcast[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_ppo_update_6(float* broadcast, cudaStream_t stream) {
  return launch(ppo_update_6,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, broadcast);
}

}  // namespace ppo_update_kernels
