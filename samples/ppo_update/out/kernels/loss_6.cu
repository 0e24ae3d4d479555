// loss_6: compare over pred[32].
//
//   in   exponential   f32[32]
//   in   max           f32[32]
//   out  eq            pred[32]
//
//   eq = exponential == max
//
// One block of 32 threads. Reads 256 B, writes 32 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
loss_6(const float* __restrict__ exponential,
       const float* __restrict__ max,
       bool* __restrict__ eq) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  eq[element] = exponential[element] == max[element];
}

}  // namespace

cudaError_t
launch_loss_6(const float* exponential, const float* max, bool* eq, cudaStream_t stream) {
  return launch(loss_6, {.grid = kElements / kThreads, .block = kThreads}, stream,
                exponential, max, eq);
}

}  // namespace ppo_update_kernels
