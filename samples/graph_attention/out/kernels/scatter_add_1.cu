// scatter_add_1: scatter, multiply over f32[60,16].
//
//   in   broadcast_in_dim   s32[500,1]
//   in   div                f32[500]
//   in   gather             f32[500,16]
//   out  scatter_add_out    f32[60,16]
//
//   scatter_add_out = scatter(0, broadcast_in_dim, broadcast(div) * gather)
//
// 30 blocks of 32 threads. Reads 36.0 kB, writes 3.8 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 960;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
scatter_add_1(const int* __restrict__ broadcast_in_dim,
              const float* __restrict__ div,
              const float* __restrict__ gather,
              float* __restrict__ scatter_add_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  float scatter_add = 0.0f;
  for (int k = 0; k < 500; ++k) {
    const int broadcast_in_dim_value = broadcast_in_dim[k];
    if (broadcast_in_dim_value == row) scatter_add += div[k] * gather[k * 16 + column];
  }

  scatter_add_out[element] = scatter_add;
}

}  // namespace

cudaError_t
launch_scatter_add_1(const int* broadcast_in_dim,
                     const float* div,
                     const float* gather,
                     float* scatter_add_out,
                     cudaStream_t stream) {
  return launch(scatter_add_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                broadcast_in_dim, div, gather, scatter_add_out);
}

}  // namespace graph_attention_kernels
