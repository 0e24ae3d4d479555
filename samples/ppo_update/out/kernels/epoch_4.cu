// epoch_4: reshape over f32[32].
//
//   in   reshape   f32[4,32]
//   out  squeeze   f32[32]
//
//   squeeze = reshape[t,:]
//
// One block of 32 threads. Reads 128 B, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
epoch_4(const float* __restrict__ reshape, float* __restrict__ squeeze, int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  squeeze[element] = reshape[t * kElements + element];
}

}  // namespace

cudaError_t
launch_epoch_4(const float* reshape, float* squeeze, int t, cudaStream_t stream) {
  return launch(epoch_4, {.grid = kElements / kThreads, .block = kThreads}, stream,
                reshape, squeeze, t);
}

}  // namespace ppo_update_kernels
