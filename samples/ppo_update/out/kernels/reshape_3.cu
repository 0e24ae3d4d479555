// reshape_3: reshape over f32[128].
//
//   in   log_probs   f32[16,8]
//   out  reshape     f32[128]
//
//   reshape = reshape(log_probs, [128])
//
// 4 blocks of 32 threads. Reads 512 B, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
reshape_3(const float* __restrict__ log_probs, float* __restrict__ reshape) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  reshape[element] = log_probs[element];
}

}  // namespace

cudaError_t
launch_reshape_3(const float* log_probs, float* reshape, cudaStream_t stream) {
  return launch(reshape_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                log_probs, reshape);
}

}  // namespace ppo_update_kernels
