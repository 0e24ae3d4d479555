// max: add, reduce over f32[16].
//
//   in   params_2_b   f32[10]
//   in   dot          f32[16,10]
//   out  max_out      f32[16]
//
//   add_1   = dot + broadcast(params_2_b)
//   max_out = reduce(add_1, -inf), dimensions={1}, to_apply=maximum
//
// 1 block of 32 threads. Reads 680 B, writes 64 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace mlp_mnist_kernels {
namespace {

constexpr int kElements = 16;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
max(const float* __restrict__ params_2_b,
    const float* __restrict__ dot,
    float* __restrict__ max_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float add_1 = dot[element * 10] + params_2_b[0];
  const float add_2 = dot[element * 10 + 1] + params_2_b[1];
  const float add_3 = dot[element * 10 + 2] + params_2_b[2];
  const float add_4 = dot[element * 10 + 3] + params_2_b[3];
  const float add_5 = dot[element * 10 + 4] + params_2_b[4];
  const float add_6 = dot[element * 10 + 5] + params_2_b[5];
  const float add_7 = dot[element * 10 + 6] + params_2_b[6];
  const float add_8 = dot[element * 10 + 7] + params_2_b[7];
  const float add_9 = dot[element * 10 + 8] + params_2_b[8];
  const float add_10 = dot[element * 10 + 9] + params_2_b[9];

  max_out[element] = maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(add_1,
                                                                                             add_2),
                                                                                     add_3),
                                                                             add_4),
                                                                     add_5),
                                                             add_6),
                                                     add_7),
                                             add_8),
                                     add_9),
                             add_10);
}

}  // namespace

cudaError_t
launch_max(const float* params_2_b, const float* dot, float* max_out, cudaStream_t stream) {
  return launch(max, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                params_2_b, dot, max_out);
}

}  // namespace mlp_mnist_kernels
