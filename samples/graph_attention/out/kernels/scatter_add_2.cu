// scatter_add_2: scatter, exponential-minus-one, multiply, compare, select over f32[60,16].
//
//   in   broadcast_in_dim   s32[500,1]
//   in   mul                f32[500,16]
//   in   gather             f32[500,16]
//   out  select             f32[60,16]
//
//   scatter_add = scatter(0, broadcast_in_dim, mul * gather)
//   gt          = scatter_add > 0
//   select      = select(gt, scatter_add, exponential-minus-one(select(gt, 0, scatter_add)))
//
// 30 blocks of 32 threads. Reads 66.0 kB, writes 3.8 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 960;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
scatter_add_2(const int* __restrict__ broadcast_in_dim,
              const float* __restrict__ mul,
              const float* __restrict__ gather,
              float* __restrict__ select) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  float scatter_add = 0.0f;
  for (int k = 0; k < 500; ++k) {
    const int index = k * 16 + column;
    const int broadcast_in_dim_value = broadcast_in_dim[k];
    if (broadcast_in_dim_value == row) scatter_add += mul[index] * gather[index];
  }
  const bool gt = scatter_add > 0.0f;

  select[element] = gt ? scatter_add : expm1f(gt ? 0.0f : scatter_add);
}

}  // namespace

cudaError_t
launch_scatter_add_2(const int* broadcast_in_dim,
                     const float* mul,
                     const float* gather,
                     float* select,
                     cudaStream_t stream) {
  return launch(scatter_add_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                broadcast_in_dim, mul, gather, select);
}

}  // namespace graph_attention_kernels
