// select: add, multiply, compare, select over f32[500].
//
//   in   dot          f32[500]
//   in   dot_1        f32[500]
//   out  select_out   f32[500]
//
//   add        = dot + dot_1
//   select_out = select(add >= 0, add, 0.2 * add)
//
// 16 blocks of 32 threads. Reads 4.0 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 500;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
select(const float* __restrict__ dot,
       const float* __restrict__ dot_1,
       float* __restrict__ select_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float add = dot[element] + dot_1[element];

  select_out[element] = add >= 0.0f ? add : 0.2f * add;
}

}  // namespace

cudaError_t
launch_select(const float* dot, const float* dot_1, float* select_out, cudaStream_t stream) {
  return launch(select, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                dot, dot_1, select_out);
}

}  // namespace graph_attention_kernels
