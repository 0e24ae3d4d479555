// broadcast_1: broadcast over f32[60,16].
//
//   out  broadcast   f32[60,16]
//
// 30 blocks of 32 threads. Reads 0 B, writes 3.8 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 960;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
broadcast_1(float* __restrict__ broadcast) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  broadcast[element] = 0.0f;
}

}  // namespace

cudaError_t
launch_broadcast_1(float* broadcast, cudaStream_t stream) {
  return launch(broadcast_1, {.grid = kElements / kThreads, .block = kThreads}, stream, broadcast);
}

}  // namespace graph_attention_kernels
