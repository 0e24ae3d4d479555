// loss_1: add, compare, select over s32[32,1,1].
//
//   in   reshape_in    s32[4,32]
//   out  reshape_out   s32[32,1,1]
//
//   select      = select(reshape_in[t,:] < 0, reshape_in[t,:] + 3, reshape_in[t,:])
//   reshape_out = reshape(select, [32,1,1])
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
loss_1(const int* __restrict__ reshape_in, int* __restrict__ reshape_out, int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const int reshape_value = reshape_in[t * kElements + element];

  reshape_out[element] = reshape_value < 0 ? reshape_value + 3 : reshape_value;
}

}  // namespace

cudaError_t
launch_loss_1(const int* reshape_in, int* reshape_out, int t, cudaStream_t stream) {
  return launch(loss_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                reshape_in, reshape_out, t);
}

}  // namespace ppo_update_kernels
