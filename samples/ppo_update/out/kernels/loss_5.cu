// loss_5: minimum over f32[32].
//
//   in   max   f32[32]
//   out  min   f32[32]
//
//   min = minimum(1.2, max)
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
loss_5(const float* __restrict__ max, float* __restrict__ min) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  min[element] = minimum(1.2f, max[element]);
}

}  // namespace

cudaError_t
launch_loss_5(const float* max, float* min, cudaStream_t stream) {
  return launch(loss_5, {.grid = kElements / kThreads, .block = kThreads}, stream, max, min);
}

}  // namespace ppo_update_kernels
