// conv_3: convolution, rsqrt, subtract, add, multiply, ... over f32[2,2,2,32].
//
//   in   params_blocks_4_conv2            f32[3,3,32,32]
//   in   params_blocks_4_norm1_bias       f32[32]
//   in   params_blocks_4_norm1_mean       f32[32]
//   in   params_blocks_4_norm1_scale      f32[32]
//   in   params_blocks_4_norm1_variance   f32[32]
//   in   params_blocks_4_norm2_bias       f32[32]
//   in   params_blocks_4_norm2_mean       f32[32]
//   in   params_blocks_4_norm2_scale      f32[32]
//   in   params_blocks_4_norm2_variance   f32[32]
//   in   params_blocks_4_norm3_bias       f32[32]
//   in   params_blocks_4_norm3_mean       f32[32]
//   in   params_blocks_4_norm3_scale      f32[32]
//   in   params_blocks_4_norm3_variance   f32[32]
//   in   x_conv1                          f32[2,2,2,32]
//   in   x_project_2                      f32[2,2,2,32]
//   out  y_conv2_out                      f32[2,2,2,32]
//   out  x_7                              f32[2,2,2,32]
//
//   deviation_1 = x_project_2 - params_blocks_4_norm3_mean
//   inv_std_2   = rsqrt(params_blocks_4_norm3_variance + 1e-05)
//   inverse_2   = params_blocks_4_norm3_scale * inv_std_2
//   x           = deviation_1 * inverse_2 + params_blocks_4_norm3_bias
//   deviation_2 = x_conv1 - params_blocks_4_norm1_mean
//   inv_std_3   = rsqrt(params_blocks_4_norm1_variance + 1e-05)
//   inverse_3   = params_blocks_4_norm1_scale * inv_std_3
//   normalised  = deviation_2 * inverse_3 + params_blocks_4_norm1_bias
//   y_conv2_out = convolution(maximum(normalised, 0), params_blocks_4_conv2),
//                 window={size=3x3 pad=1_1x1_1}
//   deviation_3 = y_conv2_out - params_blocks_4_norm2_mean
//   inv_std_1   = rsqrt(params_blocks_4_norm2_variance + 1e-05)
//   inverse_1   = params_blocks_4_norm2_scale * inv_std_1
//   x_plus_y    = x + (deviation_3 * inverse_1 + params_blocks_4_norm2_bias)
//   x_7         = maximum(x_plus_y, 0)
//
// 8 blocks of 32 threads. Reads 40.4 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv_3 {
namespace {

constexpr int kI = 2;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kL = 32;
constexpr int kElements = kI * kJ * kK * kL;  // 256
constexpr int kFeatures = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_3(const float* __restrict__ params_blocks_4_conv2,
       const float* __restrict__ params_blocks_4_norm1_bias,
       const float* __restrict__ params_blocks_4_norm1_mean,
       const float* __restrict__ params_blocks_4_norm1_scale,
       const float* __restrict__ params_blocks_4_norm1_variance,
       const float* __restrict__ params_blocks_4_norm2_bias,
       const float* __restrict__ params_blocks_4_norm2_mean,
       const float* __restrict__ params_blocks_4_norm2_scale,
       const float* __restrict__ params_blocks_4_norm2_variance,
       const float* __restrict__ params_blocks_4_norm3_bias,
       const float* __restrict__ params_blocks_4_norm3_mean,
       const float* __restrict__ params_blocks_4_norm3_scale,
       const float* __restrict__ params_blocks_4_norm3_variance,
       const float* __restrict__ x_conv1,
       const float* __restrict__ x_project_2,
       float* __restrict__ y_conv2_out,
       float* __restrict__ x_7) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  // batch_norm
  const float inv_std_1 = rsqrtf(params_blocks_4_norm2_variance[l] + 1e-5f);
  const float inverse_1 = params_blocks_4_norm2_scale[l] * inv_std_1;
  const float inv_std_2 = rsqrtf(params_blocks_4_norm3_variance[l] + 1e-5f);
  const float inverse_2 = params_blocks_4_norm3_scale[l] * inv_std_2;
  const float deviation_1 = x_project_2[element] - params_blocks_4_norm3_mean[l];
  const float x = fmaf(deviation_1, inverse_2, params_blocks_4_norm3_bias[l]);

  float y_conv2 = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = j + ky - 1;
    if (in_row < 0 || in_row >= 2) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = k + kx - 1;
      if (in_column < 0 || in_column >= 2) continue;
      for (int feature = 0; feature < kFeatures; ++feature) {
        // batch_norm
        const float inv_std_3 = rsqrtf(params_blocks_4_norm1_variance[feature] + 1e-5f);
        const float inverse_3 = params_blocks_4_norm1_scale[feature] * inv_std_3;

        const float x_conv1_value =
            x_conv1[((i * 2 + in_row) * 2 + in_column) * kFeatures + feature];

        // batch_norm
        const float deviation_2 = x_conv1_value - params_blocks_4_norm1_mean[feature];
        const float normalised = fmaf(deviation_2, inverse_3, params_blocks_4_norm1_bias[feature]);
        y_conv2 = fmaf(maximum(normalised, 0.0f),
                       params_blocks_4_conv2[((ky * 3 + kx) * kFeatures + feature) * kL + l],
                       y_conv2);
      }
    }
  }

  // batch_norm
  const float deviation_3 = y_conv2 - params_blocks_4_norm2_mean[l];

  // residual
  const float x_plus_y = x + fmaf(deviation_3, inverse_1, params_blocks_4_norm2_bias[l]);

  y_conv2_out[element] = y_conv2;
  x_7[element] = maximum(x_plus_y, 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_4_conv2, const float* params_blocks_4_norm1_bias,
        const float* params_blocks_4_norm1_mean, const float* params_blocks_4_norm1_scale,
        const float* params_blocks_4_norm1_variance, const float* params_blocks_4_norm2_bias,
        const float* params_blocks_4_norm2_mean, const float* params_blocks_4_norm2_scale,
        const float* params_blocks_4_norm2_variance, const float* params_blocks_4_norm3_bias,
        const float* params_blocks_4_norm3_mean, const float* params_blocks_4_norm3_scale,
        const float* params_blocks_4_norm3_variance, const float* x_conv1, const float* x_project_2,
        float* y_conv2_out, float* x_7, cudaStream_t stream) {
  return launch(conv_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_4_conv2, params_blocks_4_norm1_bias, params_blocks_4_norm1_mean,
                params_blocks_4_norm1_scale, params_blocks_4_norm1_variance,
                params_blocks_4_norm2_bias, params_blocks_4_norm2_mean, params_blocks_4_norm2_scale,
                params_blocks_4_norm2_variance, params_blocks_4_norm3_bias,
                params_blocks_4_norm3_mean, params_blocks_4_norm3_scale,
                params_blocks_4_norm3_variance, x_conv1, x_project_2, y_conv2_out, x_7);
}

}  // namespace resnet18_kernels::conv_3
