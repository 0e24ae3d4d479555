// gelu_bias_residual: tanh, add, multiply over f32[64,96].
//
//   in   x          f32[64,96]
//   in   bias       f32[96]
//   in   residual   f32[64,96]
//   out  add        f32[64,96]
//
//   add_1 = x + bias
//   add_2 = tanh((add_1 + add_1 * add_1 * add_1 * 0.044715) * 0.7978846) + 1
//   add   = add_1 * (add_2 * 0.5) + residual
//
// 48 blocks of 32 threads. Reads 49.5 kB, writes 24.6 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/vector_access.cuh"

namespace gelu_bias_residual_kernels::gelu_bias_residual {
namespace {

constexpr int kElements = 6144;
constexpr int kThreads = 32;
constexpr int kWidth = 4;  // elements a thread

static_assert(kElements % (kThreads * kWidth) == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
gelu_bias_residual(const float* __restrict__ x,
                   const float* __restrict__ bias,
                   const float* __restrict__ residual,
                   float* __restrict__ add) {
  const int element = (blockIdx.x * kThreads + threadIdx.x) * kWidth;
  const int column = element % 96;

  const Vector<float, kWidth> x_values = load_vector<kWidth>(x + element);
  const Vector<float, kWidth> bias_values = load_vector<kWidth>(bias + column);
  const Vector<float, kWidth> residual_values = load_vector<kWidth>(residual + element);
  Vector<float, kWidth> add_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) {
    const float add_1 = x_values[k] + bias_values[k];
    const float add_2 = tanhf(fmaf(add_1 * add_1 * add_1, 0.044715f, add_1) * 0.7978846f) + 1.0f;
    add_values[k] = fmaf(add_1, add_2 * 0.5f, residual_values[k]);
  }
  store_vector(add + element, add_values);
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* bias, const float* residual, float* add, cudaStream_t stream) {
  return launch(gelu_bias_residual,
                {.grid = kElements / (kThreads * kWidth), .block = kThreads},
                stream, x, bias, residual, add);
}

}  // namespace gelu_bias_residual_kernels::gelu_bias_residual
