// squeeze: reshape over f32[32].
//
//   in   reshape       f32[4,32]
//   out  squeeze_out   f32[32]
//
//   squeeze_out = reshape[t,:]
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
squeeze(const float* __restrict__ reshape, float* __restrict__ squeeze_out, int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  squeeze_out[element] = reshape[t * kElements + element];
}

}  // namespace

cudaError_t
launch_squeeze(const float* reshape, float* squeeze_out, int t, cudaStream_t stream) {
  return launch(squeeze, {.grid = kElements / kThreads, .block = kThreads}, stream,
                reshape, squeeze_out, t);
}

}  // namespace ppo_update_kernels
