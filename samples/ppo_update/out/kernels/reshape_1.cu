// reshape_1: reshape over f32[128,6].
//
//   in   observations   f32[17,8,6]
//   out  reshape        f32[128,6]
//
//   reshape = reshape(observations[0:16,:,:], [128,6])
//
// 24 blocks of 32 threads. Reads 3.1 kB, writes 3.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 768;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
reshape_1(const float* __restrict__ observations, float* __restrict__ reshape) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  reshape[element] = observations[element];
}

}  // namespace

cudaError_t
launch_reshape_1(const float* observations, float* reshape, cudaStream_t stream) {
  return launch(reshape_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                observations, reshape);
}

}  // namespace ppo_update_kernels
