// scatter_add_2: scatter, gather, exponential-minus-one, add, multiply, ... over f32[60,16].
//
//   in   senders     s32[500]
//   in   receivers   s32[500]
//   in   div         f32[500]
//   in   dot         f32[60,16]
//   out  select      f32[60,16]
//
//   select_1    = select(senders < 0, senders + 60, senders)
//   start       = clamp(0, select_1, 59)
//   scatter_add = scatter(0, receivers, broadcast(div) * gather(dot, start))
//   select      = select(scatter_add > 0, scatter_add, exponential-minus-one(scatter_add))
//
// 30 blocks of 32 threads. Reads 9.8 kB, writes 3.8 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace graph_attention_kernels::scatter_add_2 {
namespace {

constexpr int kElements = 960;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
scatter_add_2(const int* __restrict__ senders,
              const int* __restrict__ receivers,
              const float* __restrict__ div,
              const float* __restrict__ dot,
              float* __restrict__ select) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  float scatter_add = 0.0f;
  for (int k = 0; k < 500; ++k) {
    const int receivers_value = receivers[k];
    if (receivers_value == row) {
      const int senders_value = senders[k];
      const int select_1 = senders_value < 0 ? senders_value + 60 : senders_value;
      const int start = minimum(maximum(select_1, 0), 59);
      scatter_add += div[k] * dot[start * 16 + column];
    }
  }

  select[element] = scatter_add > 0.0f ? scatter_add : expm1f(scatter_add);
}

}  // namespace

cudaError_t
enqueue(const int* senders,
        const int* receivers,
        const float* div,
        const float* dot,
        float* select,
        cudaStream_t stream) {
  return launch(scatter_add_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                senders, receivers, div, dot, select);
}

}  // namespace graph_attention_kernels::scatter_add_2
