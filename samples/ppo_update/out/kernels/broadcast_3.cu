// broadcast_3: broadcast over f32[32].
//
//   out  broadcast   f32[32]
//
//   broadcast = 0
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
broadcast_3(float* __restrict__ broadcast) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  broadcast[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_broadcast_3(float* broadcast, cudaStream_t stream) {
  return launch(broadcast_3, {.grid = kElements / kThreads, .block = kThreads}, stream, broadcast);
}

}  // namespace ppo_update_kernels
