// reshape_2: reshape over s32[128].
//
//   in   taken     s32[16,8]
//   out  reshape   s32[128]
//
//   reshape = reshape(taken, [128])
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
reshape_2(const int* __restrict__ taken, int* __restrict__ reshape) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  reshape[element] = taken[element];
}

}  // namespace

cudaError_t
launch_reshape_2(const int* taken, int* reshape, cudaStream_t stream) {
  return launch(reshape_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                taken, reshape);
}

}  // namespace ppo_update_kernels
