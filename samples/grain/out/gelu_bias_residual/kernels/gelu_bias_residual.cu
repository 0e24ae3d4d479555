// gelu_bias_residual: tanh, add, multiply over f32[64,96].
//
//   in   x          f32[64,96]
//   in   bias       f32[96]
//   in   residual   f32[64,96]
//   out  y          f32[64,96]
//
//   y_1  = x + bias
//   gelu = 1 + tanh(0.7978846 * (y_1 + 0.044715 * (y_1 * (y_1 * y_1))))
//   y    = 0.5 * y_1 * gelu + residual
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
                   float* __restrict__ y) {
  const int element = (blockIdx.x * kThreads + threadIdx.x) * kWidth;
  const int column = element % kColumns;

  const Vector<float, kWidth> x_values = load_vector<kWidth>(x + element);
  const Vector<float, kWidth> bias_values = load_vector<kWidth>(bias + column);
  const Vector<float, kWidth> residual_values = load_vector<kWidth>(residual + element);
  Vector<float, kWidth> y_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) {
    const float y_1 = x_values[k] + bias_values[k];

    // gelu
    const float gelu = 1.0f + tanhf(0.7978846f * fmaf(0.044715f, y_1 * (y_1 * y_1), y_1));
    y_values[k] = fmaf(0.5f * y_1, gelu, residual_values[k]);
  }
  store_vector(y + element, y_values);
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* bias, const float* residual, float* y, cudaStream_t stream) {
  return launch(gelu_bias_residual,
                {.grid = kElements / (kThreads * kWidth), .block = kThreads},
                stream, x, bias, residual, y);
}

}  // namespace gelu_bias_residual_kernels::gelu_bias_residual
