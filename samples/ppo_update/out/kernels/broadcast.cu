// broadcast: broadcast over f32[2,4].
//
//   out  broadcast_out   f32[2,4]
//
//   broadcast_out = 0
//
// One block of 32 threads. Reads 0 B, writes 32 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 8;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
broadcast(float* __restrict__ broadcast_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  broadcast_out[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_broadcast(float* broadcast_out, cudaStream_t stream) {
  return launch(broadcast,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, broadcast_out);
}

}  // namespace ppo_update_kernels
