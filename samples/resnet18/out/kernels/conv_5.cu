// conv_5: convolution, rsqrt, subtract, add, multiply, ... over f32[2,2,2,32].
//
//   in   params_blocks_4_norm2_bias       f32[32]
//   in   params_blocks_4_norm2_mean       f32[32]
//   in   params_blocks_4_norm2_scale      f32[32]
//   in   params_blocks_4_norm2_variance   f32[32]
//   in   params_blocks_4_norm3_bias       f32[32]
//   in   params_blocks_4_norm3_mean       f32[32]
//   in   params_blocks_4_norm3_scale      f32[32]
//   in   params_blocks_4_norm3_variance   f32[32]
//   in   params_blocks_5_conv1            f32[3,3,32,32]
//   in   conv_in                          f32[2,2,2,32]
//   in   conv_1_in                        f32[2,2,2,32]
//   out  conv_out                         f32[2,2,2,32]
//
//   sub_2         = conv_in - params_blocks_4_norm3_mean
//   rsqrt_value_2 = rsqrt(params_blocks_4_norm3_variance + 1e-05)
//   mul_2         = params_blocks_4_norm3_scale * rsqrt_value_2
//   add           = sub_2 * mul_2 + params_blocks_4_norm3_bias
//   sub_1         = conv_1_in - params_blocks_4_norm2_mean
//   rsqrt_value_1 = rsqrt(params_blocks_4_norm2_variance + 1e-05)
//   mul_1         = params_blocks_4_norm2_scale * rsqrt_value_1
//   max           = maximum(add + (sub_1 * mul_1 + params_blocks_4_norm2_bias), 0)
//   conv_out      = convolution(max, params_blocks_5_conv1), window={size=3x3 pad=1_1x1_1}
//
// 8 blocks of 32 threads. Reads 39.9 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels {
namespace {

constexpr int kElements = 256;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_5(const float* __restrict__ params_blocks_4_norm2_bias,
       const float* __restrict__ params_blocks_4_norm2_mean,
       const float* __restrict__ params_blocks_4_norm2_scale,
       const float* __restrict__ params_blocks_4_norm2_variance,
       const float* __restrict__ params_blocks_4_norm3_bias,
       const float* __restrict__ params_blocks_4_norm3_mean,
       const float* __restrict__ params_blocks_4_norm3_scale,
       const float* __restrict__ params_blocks_4_norm3_variance,
       const float* __restrict__ params_blocks_5_conv1,
       const float* __restrict__ conv_in,
       const float* __restrict__ conv_1_in,
       float* __restrict__ conv_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 128;
  const int j = element / 64 % 2;
  const int k = element / 32 % 2;
  const int l = element % 32;

  float conv_next = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = j + ky - 1;
    if (in_row < 0 || in_row >= 2) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = k + kx - 1;
      if (in_column < 0 || in_column >= 2) continue;
      for (int feature = 0; feature < 32; ++feature) {
        const int index = i * 128 + in_row * 64 + in_column * 32 + feature;
        const float rsqrt_value_1 = rsqrtf(params_blocks_4_norm2_variance[feature] + 1e-5f);
        const float mul_1 = params_blocks_4_norm2_scale[feature] * rsqrt_value_1;
        const float sub_1 = conv_1_in[index] - params_blocks_4_norm2_mean[feature];
        const float rsqrt_value_2 = rsqrtf(params_blocks_4_norm3_variance[feature] + 1e-5f);
        const float mul_2 = params_blocks_4_norm3_scale[feature] * rsqrt_value_2;
        const float sub_2 = conv_in[index] - params_blocks_4_norm3_mean[feature];
        const float add = fmaf(sub_2, mul_2, params_blocks_4_norm3_bias[feature]);
        conv_next = fmaf(maximum(add + fmaf(sub_1, mul_1, params_blocks_4_norm2_bias[feature]),
                                 0.0f),
                         params_blocks_5_conv1[ky * 3072 + kx * 1024 + feature * 32 + l],
                         conv_next);
      }
    }
  }

  conv_out[element] = conv_next;
}

}  // namespace

cudaError_t
launch_conv_5(const float* params_blocks_4_norm2_bias,
              const float* params_blocks_4_norm2_mean,
              const float* params_blocks_4_norm2_scale,
              const float* params_blocks_4_norm2_variance,
              const float* params_blocks_4_norm3_bias,
              const float* params_blocks_4_norm3_mean,
              const float* params_blocks_4_norm3_scale,
              const float* params_blocks_4_norm3_variance,
              const float* params_blocks_5_conv1,
              const float* conv_in,
              const float* conv_1_in,
              float* conv_out,
              cudaStream_t stream) {
  return launch(conv_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_4_norm2_bias, params_blocks_4_norm2_mean, params_blocks_4_norm2_scale,
                params_blocks_4_norm2_variance, params_blocks_4_norm3_bias,
                params_blocks_4_norm3_mean, params_blocks_4_norm3_scale,
                params_blocks_4_norm3_variance, params_blocks_5_conv1, conv_in, conv_1_in,
                conv_out);
}

}  // namespace resnet18_kernels
