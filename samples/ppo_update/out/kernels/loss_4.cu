// loss_4: maximum over f32[32].
//
//   in   exponential   f32[32]
//   out  max           f32[32]
//
//   max = maximum(0.8, exponential)
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
loss_4(const float* __restrict__ exponential, float* __restrict__ max) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  max[element] = maximum(0.8f, exponential[element]);
}

}  // namespace

cudaError_t
launch_loss_4(const float* exponential, float* max, cudaStream_t stream) {
  return launch(loss_4, {.grid = kElements / kThreads, .block = kThreads}, stream,
                exponential, max);
}

}  // namespace ppo_update_kernels
