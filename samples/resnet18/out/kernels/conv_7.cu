// conv_7: convolution, rsqrt, subtract, add, multiply, ... over f32[2,1,1,64].
//
//   in   params_blocks_6_norm2_bias       f32[64]
//   in   params_blocks_6_norm2_mean       f32[64]
//   in   params_blocks_6_norm2_scale      f32[64]
//   in   params_blocks_6_norm2_variance   f32[64]
//   in   params_blocks_6_norm3_bias       f32[64]
//   in   params_blocks_6_norm3_mean       f32[64]
//   in   params_blocks_6_norm3_scale      f32[64]
//   in   params_blocks_6_norm3_variance   f32[64]
//   in   params_blocks_7_conv1            f32[3,3,64,64]
//   in   x_project_3                      f32[2,1,1,64]
//   in   y_conv2_2                        f32[2,1,1,64]
//   out  x_conv1_4_out                    f32[2,1,1,64]
//
//   deviation_2   = x_project_3 - params_blocks_6_norm3_mean
//   inv_std_2     = rsqrt(params_blocks_6_norm3_variance + 1e-05)
//   inverse_2     = params_blocks_6_norm3_scale * inv_std_2
//   x             = deviation_2 * inverse_2 + params_blocks_6_norm3_bias
//   deviation_1   = y_conv2_2 - params_blocks_6_norm2_mean
//   inv_std_1     = rsqrt(params_blocks_6_norm2_variance + 1e-05)
//   inverse_1     = params_blocks_6_norm2_scale * inv_std_1
//   x_plus_y      = x + (deviation_1 * inverse_1 + params_blocks_6_norm2_bias)
//   x_conv1_4_out = convolution(maximum(x_plus_y, 0), params_blocks_7_conv1),
//                   window={size=3x3 pad=1_1x1_1}
//
// 4 blocks of 32 threads. Reads 19.5 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv_7 {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kFeatures = 64;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_7(const float* __restrict__ params_blocks_6_norm2_bias,
       const float* __restrict__ params_blocks_6_norm2_mean,
       const float* __restrict__ params_blocks_6_norm2_scale,
       const float* __restrict__ params_blocks_6_norm2_variance,
       const float* __restrict__ params_blocks_6_norm3_bias,
       const float* __restrict__ params_blocks_6_norm3_mean,
       const float* __restrict__ params_blocks_6_norm3_scale,
       const float* __restrict__ params_blocks_6_norm3_variance,
       const float* __restrict__ params_blocks_7_conv1,
       const float* __restrict__ x_project_3,
       const float* __restrict__ y_conv2_2,
       float* __restrict__ x_conv1_4_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float x_conv1_4 = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    const int index = row * kFeatures + feature;

    // batch_norm
    const float inv_std_1 = rsqrtf(params_blocks_6_norm2_variance[feature] + 1e-5f);
    const float inverse_1 = params_blocks_6_norm2_scale[feature] * inv_std_1;
    const float deviation_1 = y_conv2_2[index] - params_blocks_6_norm2_mean[feature];
    const float inv_std_2 = rsqrtf(params_blocks_6_norm3_variance[feature] + 1e-5f);
    const float inverse_2 = params_blocks_6_norm3_scale[feature] * inv_std_2;
    const float deviation_2 = x_project_3[index] - params_blocks_6_norm3_mean[feature];
    const float x = fmaf(deviation_2, inverse_2, params_blocks_6_norm3_bias[feature]);

    // residual
    const float x_plus_y = x + fmaf(deviation_1, inverse_1, params_blocks_6_norm2_bias[feature]);
    x_conv1_4 = fmaf(maximum(x_plus_y, 0.0f),
                     params_blocks_7_conv1[(feature + 256) * kColumns + column], x_conv1_4);
  }

  x_conv1_4_out[element] = x_conv1_4;
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_6_norm2_bias, const float* params_blocks_6_norm2_mean,
        const float* params_blocks_6_norm2_scale, const float* params_blocks_6_norm2_variance,
        const float* params_blocks_6_norm3_bias, const float* params_blocks_6_norm3_mean,
        const float* params_blocks_6_norm3_scale, const float* params_blocks_6_norm3_variance,
        const float* params_blocks_7_conv1, const float* x_project_3, const float* y_conv2_2,
        float* x_conv1_4_out, cudaStream_t stream) {
  return launch(conv_7, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_6_norm2_bias, params_blocks_6_norm2_mean, params_blocks_6_norm2_scale,
                params_blocks_6_norm2_variance, params_blocks_6_norm3_bias,
                params_blocks_6_norm3_mean, params_blocks_6_norm3_scale,
                params_blocks_6_norm3_variance, params_blocks_7_conv1, x_project_3, y_conv2_2,
                x_conv1_4_out);
}

}  // namespace resnet18_kernels::conv_7
