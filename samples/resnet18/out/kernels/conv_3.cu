// conv_3: 2 computations, in one launch whose last block to finish goes on alone.
//
//   conv_9       8 blocks     convolution, rsqrt, subtract, add, multiply, ... over f32[2,2,2,32]
//   residual_9   last block   rsqrt, subtract, add, multiply, maximum over f32[2,2,2,32]
//
// 8 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv_3 {
namespace {

// conv_9: convolution, rsqrt, subtract, add, multiply, ... over f32[2,2,2,32].
//
//   in   params_blocks_4_conv2            f32[3,3,32,32]
//   in   params_blocks_4_norm1_bias       f32[32]
//   in   params_blocks_4_norm1_mean       f32[32]
//   in   params_blocks_4_norm1_scale      f32[32]
//   in   params_blocks_4_norm1_variance   f32[32]
//   in   x_conv1                          f32[2,2,2,32]
//   out  y_conv2_out                      f32[2,2,2,32]
//
//   deviation   = x_conv1 - params_blocks_4_norm1_mean
//   inv_std     = rsqrt(params_blocks_4_norm1_variance + 1e-05)
//   inverse     = params_blocks_4_norm1_scale * inv_std
//   normalised  = deviation * inverse + params_blocks_4_norm1_bias
//   y_conv2_out = convolution(maximum(normalised, 0), params_blocks_4_conv2),
//                 window={size=3x3 pad=1_1x1_1}
//
// 8 blocks of 32 threads. Reads 38.4 kB, writes 1.0 kB.
namespace conv_9 {

constexpr int kI = 2;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kL = 32;
constexpr int kElements = kI * kJ * kK * kL;  // 256
constexpr int kFeatures = 32;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch read y_conv2_out.
__device__ void run(int block, const Conv3Arrays::Conv9Arrays& arrays) {
  const float* __restrict__ params_blocks_4_conv2 = arrays.params_blocks_4_conv2;
  const float* __restrict__ params_blocks_4_norm1_bias = arrays.params_blocks_4_norm1_bias;
  const float* __restrict__ params_blocks_4_norm1_mean = arrays.params_blocks_4_norm1_mean;
  const float* __restrict__ params_blocks_4_norm1_scale = arrays.params_blocks_4_norm1_scale;
  const float* __restrict__ params_blocks_4_norm1_variance = arrays.params_blocks_4_norm1_variance;
  const float* __restrict__ x_conv1 = arrays.x_conv1;
  float* y_conv2_out = arrays.y_conv2_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  float y_conv2 = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = j + ky - 1;
    if (in_row < 0 || in_row >= 2) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = k + kx - 1;
      if (in_column < 0 || in_column >= 2) continue;
      for (int feature = 0; feature < kFeatures; ++feature) {
        // batch_norm
        const float inv_std = rsqrtf(params_blocks_4_norm1_variance[feature] + 1e-5f);
        const float inverse = params_blocks_4_norm1_scale[feature] * inv_std;

        const float x_conv1_value =
            x_conv1[((i * 2 + in_row) * 2 + in_column) * kFeatures + feature];

        // batch_norm
        const float deviation = x_conv1_value - params_blocks_4_norm1_mean[feature];
        const float normalised = fmaf(deviation, inverse, params_blocks_4_norm1_bias[feature]);
        y_conv2 = fmaf(maximum(normalised, 0.0f),
                       params_blocks_4_conv2[((ky * 3 + kx) * kFeatures + feature) * kL + l],
                       y_conv2);
      }
    }
  }

  y_conv2_out[element] = y_conv2;
}

}  // namespace conv_9

// residual_9: rsqrt, subtract, add, multiply, maximum over f32[2,2,2,32].
//
//   in   params_blocks_4_norm2_bias       f32[32]
//   in   params_blocks_4_norm2_mean       f32[32]
//   in   params_blocks_4_norm2_scale      f32[32]
//   in   params_blocks_4_norm2_variance   f32[32]
//   in   params_blocks_4_norm3_bias       f32[32]
//   in   params_blocks_4_norm3_mean       f32[32]
//   in   params_blocks_4_norm3_scale      f32[32]
//   in   params_blocks_4_norm3_variance   f32[32]
//   in   x_project_2                      f32[2,2,2,32]
//   in   y_conv2                          f32[2,2,2,32]
//   out  x_7                              f32[2,2,2,32]
//
//   deviation_2 = x_project_2 - params_blocks_4_norm3_mean
//   inv_std_2   = rsqrt(params_blocks_4_norm3_variance + 1e-05)
//   inverse_2   = params_blocks_4_norm3_scale * inv_std_2
//   x           = deviation_2 * inverse_2 + params_blocks_4_norm3_bias
//   deviation_1 = y_conv2 - params_blocks_4_norm2_mean
//   inv_std_1   = rsqrt(params_blocks_4_norm2_variance + 1e-05)
//   inverse_1   = params_blocks_4_norm2_scale * inv_std_1
//   x_plus_y    = x + (deviation_1 * inverse_1 + params_blocks_4_norm2_bias)
//   x_7         = maximum(x_plus_y, 0)
//
// One block of 32 threads, 8 times. Reads 3.1 kB, writes 1.0 kB.
namespace residual_9 {

constexpr int kRows = 8;
constexpr int kColumns = 32;
constexpr int kElements = kRows * kColumns;  // 256
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: other parts of the launch write y_conv2.
__device__ void run(int block, const Conv3Arrays::Residual9Arrays& arrays) {
  const auto& [params_blocks_4_norm2_bias, params_blocks_4_norm2_mean, params_blocks_4_norm2_scale,
               params_blocks_4_norm2_variance, params_blocks_4_norm3_bias,
               params_blocks_4_norm3_mean, params_blocks_4_norm3_scale,
               params_blocks_4_norm3_variance, x_project_2, y_conv2, x_7] = arrays;
  const int element = block * kThreads + threadIdx.x;
  const int column = element % kColumns;

  // batch_norm
  const float inv_std_1 = rsqrtf(params_blocks_4_norm2_variance[column] + 1e-5f);
  const float inverse_1 = params_blocks_4_norm2_scale[column] * inv_std_1;
  const float deviation_1 = y_conv2[element] - params_blocks_4_norm2_mean[column];
  const float inv_std_2 = rsqrtf(params_blocks_4_norm3_variance[column] + 1e-5f);
  const float inverse_2 = params_blocks_4_norm3_scale[column] * inv_std_2;
  const float deviation_2 = x_project_2[element] - params_blocks_4_norm3_mean[column];
  const float x = fmaf(deviation_2, inverse_2, params_blocks_4_norm3_bias[column]);

  const float x_plus_y = x + fmaf(deviation_1, inverse_1, params_blocks_4_norm2_bias[column]);

  x_7[element] = maximum(x_plus_y, 0.0f);
}

}  // namespace residual_9

constexpr int kThreads = 32;
constexpr int kBlocks = conv_9::kBlocks;

__global__ void __launch_bounds__(kThreads)
conv_3(const __grid_constant__ Conv3Arrays arrays) {
  const int block = blockIdx.x;
  conv_9::run(block, arrays.conv_9);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < residual_9::kBlocks; ++i) residual_9::run(i, arrays.residual_9);
}

}  // namespace

cudaError_t
enqueue(const Conv3Arrays& arrays, cudaStream_t stream) {
  return launch(conv_3, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace resnet18_kernels::conv_3
