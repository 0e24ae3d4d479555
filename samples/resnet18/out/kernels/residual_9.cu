// residual_9: convolution, rsqrt, subtract, add, multiply, ... over f32[2,2,2,32].
//
//   in   params_blocks_4_norm2_bias       f32[32]
//   in   params_blocks_4_norm2_mean       f32[32]
//   in   params_blocks_4_norm2_scale      f32[32]
//   in   params_blocks_4_norm2_variance   f32[32]
//   in   params_blocks_4_norm3_bias       f32[32]
//   in   params_blocks_4_norm3_mean       f32[32]
//   in   params_blocks_4_norm3_scale      f32[32]
//   in   params_blocks_4_norm3_variance   f32[32]
//   in   params_blocks_5_conv2            f32[3,3,32,32]
//   in   params_blocks_5_norm2_bias       f32[32]
//   in   params_blocks_5_norm2_mean       f32[32]
//   in   params_blocks_5_norm2_scale      f32[32]
//   in   params_blocks_5_norm2_variance   f32[32]
//   in   conv                             f32[2,2,2,32]
//   in   conv_1                           f32[2,2,2,32]
//   in   y                                f32[2,2,2,32]
//   out  x                                f32[2,2,2,32]
//
//   batch_norm  inverse_1, inverse_2, sub_1, x_1, sub_3
//   conv        conv_2
//   residual    x
//
// 8 blocks of 32 threads. Reads 41.5 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::residual_9 {
namespace {

constexpr int kElements = 256;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
residual_9(const float* __restrict__ params_blocks_4_norm2_bias,
           const float* __restrict__ params_blocks_4_norm2_mean,
           const float* __restrict__ params_blocks_4_norm2_scale,
           const float* __restrict__ params_blocks_4_norm2_variance,
           const float* __restrict__ params_blocks_4_norm3_bias,
           const float* __restrict__ params_blocks_4_norm3_mean,
           const float* __restrict__ params_blocks_4_norm3_scale,
           const float* __restrict__ params_blocks_4_norm3_variance,
           const float* __restrict__ params_blocks_5_conv2,
           const float* __restrict__ params_blocks_5_norm2_bias,
           const float* __restrict__ params_blocks_5_norm2_mean,
           const float* __restrict__ params_blocks_5_norm2_scale,
           const float* __restrict__ params_blocks_5_norm2_variance,
           const float* __restrict__ conv,
           const float* __restrict__ conv_1,
           const float* __restrict__ y,
           float* __restrict__ x) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 128;
  const int j = element / 64 % 2;
  const int k = element / 32 % 2;
  const int l = element % 32;

  // batch_norm
  const float rsqrt_value_1 = rsqrtf(params_blocks_4_norm2_variance[l] + 1e-5f);
  const float inverse_1 = params_blocks_4_norm2_scale[l] * rsqrt_value_1;
  const float rsqrt_value_2 = rsqrtf(params_blocks_5_norm2_variance[l] + 1e-5f);
  const float inverse_2 = params_blocks_5_norm2_scale[l] * rsqrt_value_2;
  const float sub_1 = conv_1[element] - params_blocks_4_norm2_mean[l];
  const float rsqrt_value_3 = rsqrtf(params_blocks_4_norm3_variance[l] + 1e-5f);
  const float inverse_3 = params_blocks_4_norm3_scale[l] * rsqrt_value_3;
  const float sub_2 = conv[element] - params_blocks_4_norm3_mean[l];
  const float x_1 = fmaf(sub_2, inverse_3, params_blocks_4_norm3_bias[l]);

  // conv
  float conv_2 = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = j + ky - 1;
    if (in_row < 0 || in_row >= 2) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = k + kx - 1;
      if (in_column < 0 || in_column >= 2) continue;
      for (int feature = 0; feature < 32; ++feature) {
        conv_2 = fmaf(y[i * 128 + in_row * 64 + in_column * 32 + feature],
                      params_blocks_5_conv2[ky * 3072 + kx * 1024 + feature * 32 + l], conv_2);
      }
    }
  }

  // batch_norm
  const float sub_3 = conv_2 - params_blocks_5_norm2_mean[l];

  // residual
  const float x_2 = maximum(x_1 + fmaf(sub_1, inverse_1, params_blocks_4_norm2_bias[l]), 0.0f);

  x[element] = maximum(x_2 + fmaf(sub_3, inverse_2, params_blocks_5_norm2_bias[l]), 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_4_norm2_bias,
        const float* params_blocks_4_norm2_mean,
        const float* params_blocks_4_norm2_scale,
        const float* params_blocks_4_norm2_variance,
        const float* params_blocks_4_norm3_bias,
        const float* params_blocks_4_norm3_mean,
        const float* params_blocks_4_norm3_scale,
        const float* params_blocks_4_norm3_variance,
        const float* params_blocks_5_conv2,
        const float* params_blocks_5_norm2_bias,
        const float* params_blocks_5_norm2_mean,
        const float* params_blocks_5_norm2_scale,
        const float* params_blocks_5_norm2_variance,
        const float* conv,
        const float* conv_1,
        const float* y,
        float* x,
        cudaStream_t stream) {
  return launch(residual_9, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_4_norm2_bias, params_blocks_4_norm2_mean, params_blocks_4_norm2_scale,
                params_blocks_4_norm2_variance, params_blocks_4_norm3_bias,
                params_blocks_4_norm3_mean, params_blocks_4_norm3_scale,
                params_blocks_4_norm3_variance, params_blocks_5_conv2, params_blocks_5_norm2_bias,
                params_blocks_5_norm2_mean, params_blocks_5_norm2_scale,
                params_blocks_5_norm2_variance, conv, conv_1, y, x);
}

}  // namespace resnet18_kernels::residual_9
