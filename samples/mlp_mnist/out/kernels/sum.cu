// sum: reduce, exponential, add, subtract over f32[16].
//
//   in   params_2_b   f32[10]
//   in   dot          f32[16,10]
//   in   max          f32[16]
//   out  sum_out      f32[16]
//
//   sum_out = reduce(exponential(dot + params_2_b - broadcast(max)), 0), dimensions={1},
//             to_apply=add
//
// One block of 32 threads. Reads 744 B, writes 64 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace mlp_mnist_kernels {
namespace {

constexpr int kElements = 16;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
sum(const float* __restrict__ params_2_b,
    const float* __restrict__ dot,
    const float* __restrict__ max,
    float* __restrict__ sum_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float max_value = max[element];
  float sum_1 = 0.0f;
  for (int k = 0; k < 10; ++k) sum_1 += expf(dot[element * 10 + k] + params_2_b[k] - max_value);

  sum_out[element] = sum_1;
}

}  // namespace

cudaError_t
launch_sum(const float* params_2_b,
           const float* dot,
           const float* max,
           float* sum_out,
           cudaStream_t stream) {
  return launch(sum, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                params_2_b, dot, max, sum_out);
}

}  // namespace mlp_mnist_kernels
