// broadcast_in_dim_3: add, compare, select over s32[500,1].
//
//   in   receivers          s32[500]
//   out  broadcast_in_dim   s32[500,1]
//
//   broadcast_in_dim = reshape(select(receivers < 0, receivers + 60, receivers), [500,1])
//
// 16 blocks of 32 threads. Reads 2.0 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 500;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
broadcast_in_dim_3(const int* __restrict__ receivers, int* __restrict__ broadcast_in_dim) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const int receivers_value = receivers[element];

  broadcast_in_dim[element] = receivers_value < 0 ? receivers_value + 60 : receivers_value;
}

}  // namespace

cudaError_t
launch_broadcast_in_dim_3(const int* receivers, int* broadcast_in_dim, cudaStream_t stream) {
  return launch(broadcast_in_dim_3,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, receivers, broadcast_in_dim);
}

}  // namespace graph_attention_kernels
