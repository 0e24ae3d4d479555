// gelu_bias_residual: tanh, add, multiply over f32[64,96].
//
//   in   x          f32[64,96]
//   in   bias       f32[96]
//   in   residual   f32[64,96]
//   out  sum        f32[64,96]
//
//   x_plus_bias = x + bias
//   product     = x_plus_bias * x_plus_bias * x_plus_bias
//   sum_1       = tanh((x_plus_bias + product * 0.044715) * 0.7978846) + 1
//   sum         = x_plus_bias * (sum_1 * 0.5) + residual
//
// 48 blocks of 32 threads. Reads 49.5 kB, writes 24.6 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/vector_access.cuh"

namespace gelu_bias_residual_kernels::gelu_bias_residual {
namespace {

constexpr int kRows = 64;
constexpr int kColumns = 96;
constexpr int kElements = kRows * kColumns;  // 6144
constexpr int kThreads = 32;
constexpr int kWidth = 4;  // elements a thread

static_assert(kElements % (kThreads * kWidth) == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
gelu_bias_residual(const float* __restrict__ x,
                   const float* __restrict__ bias,
                   const float* __restrict__ residual,
                   float* __restrict__ sum) {
  const int element = (blockIdx.x * kThreads + threadIdx.x) * kWidth;
  const int column = element % kColumns;

  const Vector<float, kWidth> x_values = load_vector<kWidth>(x + element);
  const Vector<float, kWidth> bias_values = load_vector<kWidth>(bias + column);
  const Vector<float, kWidth> residual_values = load_vector<kWidth>(residual + element);
  Vector<float, kWidth> sum_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) {
    const float x_plus_bias = x_values[k] + bias_values[k];
    const float product = x_plus_bias * x_plus_bias * x_plus_bias;
    const float sum_1 = tanhf(fmaf(product, 0.044715f, x_plus_bias) * 0.7978846f) + 1.0f;
    sum_values[k] = fmaf(x_plus_bias, sum_1 * 0.5f, residual_values[k]);
  }
  store_vector(sum + element, sum_values);
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* bias, const float* residual, float* sum, cudaStream_t stream) {
  return launch(gelu_bias_residual,
                {.grid = kElements / (kThreads * kWidth), .block = kThreads},
                stream, x, bias, residual, sum);
}

}  // namespace gelu_bias_residual_kernels::gelu_bias_residual
