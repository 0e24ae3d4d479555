// fill: broadcast over s32[64].
//
//   out  broadcast_in_dim   s32[64]
//
//   broadcast_in_dim = 0
//
// 2 blocks of 32 threads. Reads 0 B, writes 256 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace cartpole_policy_kernels {
namespace {

constexpr int kElements = 64;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
fill(int* __restrict__ broadcast_in_dim) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  broadcast_in_dim[element] = 0;
}

}  // namespace

cudaError_t
launch_fill(int* broadcast_in_dim, cudaStream_t stream) {
  return launch(fill, {.grid = kElements / kThreads, .block = kThreads}, stream, broadcast_in_dim);
}

}  // namespace cartpole_policy_kernels
