// sub: gather, add, multiply, subtract, compare, ... over f32[500].
//
//   in   dot                f32[500]
//   in   dot_1              f32[500]
//   in   broadcast_in_dim   s32[500,1]
//   in   max                f32[60]
//   out  sub_out            f32[500]
//
//   add     = dot + dot_1
//   start   = clamp(0, broadcast_in_dim, 59)
//   sub_out = select(add >= 0, add, 0.2 * add) - gather(max, start)
//
// 16 blocks of 32 threads. Reads 6.2 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 500;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
sub(const float* __restrict__ dot,
    const float* __restrict__ dot_1,
    const int* __restrict__ broadcast_in_dim,
    const float* __restrict__ max,
    float* __restrict__ sub_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float add = dot[element] + dot_1[element];
  const int start = minimum(maximum(broadcast_in_dim[element], 0), 59);

  sub_out[element] = (add >= 0.0f ? add : 0.2f * add) - max[start];
}

}  // namespace

cudaError_t
launch_sub(const float* dot,
           const float* dot_1,
           const int* broadcast_in_dim,
           const float* max,
           float* sub_out,
           cudaStream_t stream) {
  return launch(sub, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                dot, dot_1, broadcast_in_dim, max, sub_out);
}

}  // namespace graph_attention_kernels
