// fill_1: broadcast over f32[4,24].
//
//   out  broadcast_in_dim   f32[4,24]
//
//   broadcast_in_dim = 0
//
// 3 blocks of 32 threads. Reads 0 B, writes 384 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace lstm_kernels {
namespace {

constexpr int kElements = 96;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
fill_1(float* __restrict__ broadcast_in_dim) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  broadcast_in_dim[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_fill_1(float* broadcast_in_dim, cudaStream_t stream) {
  return launch(fill_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                broadcast_in_dim);
}

}  // namespace lstm_kernels
