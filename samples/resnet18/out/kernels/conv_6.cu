// conv_6: convolution, rsqrt, subtract, add, multiply, ... over f32[2,1,1,64].
//
//   in   params_blocks_6_conv2            f32[3,3,64,64]
//   in   params_blocks_6_norm1_bias       f32[64]
//   in   params_blocks_6_norm1_mean       f32[64]
//   in   params_blocks_6_norm1_scale      f32[64]
//   in   params_blocks_6_norm1_variance   f32[64]
//   in   x_conv1_3                        f32[2,1,1,64]
//   out  y_conv2_2_out                    f32[2,1,1,64]
//
//   deviation     = x_conv1_3 - params_blocks_6_norm1_mean
//   inv_std       = rsqrt(params_blocks_6_norm1_variance + 1e-05)
//   inverse       = params_blocks_6_norm1_scale * inv_std
//   y             = maximum(deviation * inverse + params_blocks_6_norm1_bias, 0)
//   y_conv2_2_out = convolution(y, params_blocks_6_conv2), window={size=3x3 pad=1_1x1_1}
//
// 4 blocks of 32 threads. Reads 17.9 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv_6 {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kFeatures = 64;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_6(const float* __restrict__ params_blocks_6_conv2,
       const float* __restrict__ params_blocks_6_norm1_bias,
       const float* __restrict__ params_blocks_6_norm1_mean,
       const float* __restrict__ params_blocks_6_norm1_scale,
       const float* __restrict__ params_blocks_6_norm1_variance,
       const float* __restrict__ x_conv1_3,
       float* __restrict__ y_conv2_2_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float y_conv2_2 = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    const float inv_std = rsqrtf(params_blocks_6_norm1_variance[feature] + 1e-5f);
    const float inverse = params_blocks_6_norm1_scale[feature] * inv_std;
    const float deviation =
        x_conv1_3[row * kFeatures + feature] - params_blocks_6_norm1_mean[feature];
    y_conv2_2 = fmaf(maximum(fmaf(deviation, inverse, params_blocks_6_norm1_bias[feature]), 0.0f),
                     params_blocks_6_conv2[(feature + 256) * kColumns + column], y_conv2_2);
  }

  y_conv2_2_out[element] = y_conv2_2;
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_6_conv2, const float* params_blocks_6_norm1_bias,
        const float* params_blocks_6_norm1_mean, const float* params_blocks_6_norm1_scale,
        const float* params_blocks_6_norm1_variance, const float* x_conv1_3, float* y_conv2_2_out,
        cudaStream_t stream) {
  return launch(conv_6, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_6_conv2, params_blocks_6_norm1_bias, params_blocks_6_norm1_mean,
                params_blocks_6_norm1_scale, params_blocks_6_norm1_variance, x_conv1_3,
                y_conv2_2_out);
}

}  // namespace resnet18_kernels::conv_6
