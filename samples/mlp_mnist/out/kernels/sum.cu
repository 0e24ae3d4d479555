// sum: add, subtract, exponential, reduce over f32[16].
//
//   in   params_2_b   f32[10]
//   in   dot          f32[16,10]
//   in   max          f32[16]
//   out  sum_out      f32[16]
//
//   exponential_1 = exponential(dot + broadcast(params_2_b) - broadcast(max))
//   sum_out       = reduce(exponential_1, 0), dimensions={1}, to_apply=add
//
// 1 block of 32 threads. Reads 744 B, writes 64 B.

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
  const float exponential_1 = expf(dot[element * 10] + params_2_b[0] - max_value);
  const float exponential_2 = expf(dot[element * 10 + 1] + params_2_b[1] - max_value);
  const float exponential_3 = expf(dot[element * 10 + 2] + params_2_b[2] - max_value);
  const float exponential_4 = expf(dot[element * 10 + 3] + params_2_b[3] - max_value);
  const float exponential_5 = expf(dot[element * 10 + 4] + params_2_b[4] - max_value);
  const float exponential_6 = expf(dot[element * 10 + 5] + params_2_b[5] - max_value);
  const float exponential_7 = expf(dot[element * 10 + 6] + params_2_b[6] - max_value);
  const float exponential_8 = expf(dot[element * 10 + 7] + params_2_b[7] - max_value);
  const float exponential_9 = expf(dot[element * 10 + 8] + params_2_b[8] - max_value);
  const float exponential_10 = expf(dot[element * 10 + 9] + params_2_b[9] - max_value);

  sum_out[element] = exponential_1 + exponential_2 + exponential_3 + exponential_4 + exponential_5 +
                     exponential_6 + exponential_7 + exponential_8 + exponential_9 + exponential_10;
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
