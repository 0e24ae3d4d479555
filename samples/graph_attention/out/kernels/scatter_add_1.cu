// scatter_add_1: scatter, gather, add, multiply, compare, ... over f32[60,16].
//
//   in   senders           s32[500]
//   in   receivers         s32[500]
//   in   div               f32[500]
//   in   dot               f32[60,16]
//   out  scatter_add_out   f32[60,16]
//
//   select          = select(senders < 0, senders + 60, senders)
//   start           = clamp(0, select, 59)
//   scatter_add_out = scatter(0, receivers, broadcast(div) * gather(dot, start))
//
// 30 blocks of 32 threads. Reads 9.8 kB, writes 3.8 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace graph_attention_kernels::scatter_add_1 {
namespace {

constexpr int kElements = 960;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
scatter_add_1(const int* __restrict__ senders,
              const int* __restrict__ receivers,
              const float* __restrict__ div,
              const float* __restrict__ dot,
              float* __restrict__ scatter_add_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  float scatter_add = 0.0f;
  for (int k = 0; k < 500; ++k) {
    const int receivers_value = receivers[k];
    if (receivers_value == row) {
      const int senders_value = senders[k];
      const int select = senders_value < 0 ? senders_value + 60 : senders_value;
      const int start = minimum(maximum(select, 0), 59);
      scatter_add += div[k] * dot[start * 16 + column];
    }
  }

  scatter_add_out[element] = scatter_add;
}

}  // namespace

cudaError_t
enqueue(const int* senders,
        const int* receivers,
        const float* div,
        const float* dot,
        float* scatter_add_out,
        cudaStream_t stream) {
  return launch(scatter_add_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                senders, receivers, div, dot, scatter_add_out);
}

}  // namespace graph_attention_kernels::scatter_add_1
