// conv_8: 2 computations, in one launch whose last block to finish goes on alone.
//
//   conv_9   4 blocks     convolution, rsqrt, subtract, add, multiply, ... over f32[2,1,1,64]
//   dense    last block   dot, rsqrt, subtract, add, multiply, ... over f32[2,10]
//
// 4 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv_8 {
namespace {

// conv_9: convolution, rsqrt, subtract, add, multiply, ... over f32[2,1,1,64].
//
//   in   params_blocks_7_conv2            f32[3,3,64,64]
//   in   params_blocks_7_norm1_bias       f32[64]
//   in   params_blocks_7_norm1_mean       f32[64]
//   in   params_blocks_7_norm1_scale      f32[64]
//   in   params_blocks_7_norm1_variance   f32[64]
//   in   x_conv1_4                        f32[2,1,1,64]
//   out  y_conv2_3_out                    f32[2,1,1,64]
//
//   deviation     = x_conv1_4 - params_blocks_7_norm1_mean
//   inv_std       = rsqrt(params_blocks_7_norm1_variance + 1e-05)
//   inverse       = params_blocks_7_norm1_scale * inv_std
//   y             = maximum(deviation * inverse + params_blocks_7_norm1_bias, 0)
//   y_conv2_3_out = convolution(y, params_blocks_7_conv2), window={size=3x3 pad=1_1x1_1}
//
// 4 blocks of 32 threads. Reads 17.9 kB, writes 512 B.
namespace conv_9 {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kFeatures = 64;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch read y_conv2_3_out.
__device__ void run(int block, const Conv8Arrays::Conv9Arrays& arrays) {
  const float* __restrict__ params_blocks_7_conv2 = arrays.params_blocks_7_conv2;
  const float* __restrict__ params_blocks_7_norm1_bias = arrays.params_blocks_7_norm1_bias;
  const float* __restrict__ params_blocks_7_norm1_mean = arrays.params_blocks_7_norm1_mean;
  const float* __restrict__ params_blocks_7_norm1_scale = arrays.params_blocks_7_norm1_scale;
  const float* __restrict__ params_blocks_7_norm1_variance = arrays.params_blocks_7_norm1_variance;
  const float* __restrict__ x_conv1_4 = arrays.x_conv1_4;
  float* y_conv2_3_out = arrays.y_conv2_3_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float y_conv2_3 = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    const float inv_std = rsqrtf(params_blocks_7_norm1_variance[feature] + 1e-5f);
    const float inverse = params_blocks_7_norm1_scale[feature] * inv_std;
    const float deviation =
        x_conv1_4[row * kFeatures + feature] - params_blocks_7_norm1_mean[feature];
    y_conv2_3 = fmaf(maximum(fmaf(deviation, inverse, params_blocks_7_norm1_bias[feature]), 0.0f),
                     params_blocks_7_conv2[(feature + 256) * kColumns + column], y_conv2_3);
  }

  y_conv2_3_out[element] = y_conv2_3;
}

}  // namespace conv_9

// dense: dot, rsqrt, subtract, add, multiply, ... over f32[2,10].
//
//   in   params_blocks_6_norm2_bias       f32[64]
//   in   params_blocks_6_norm2_mean       f32[64]
//   in   params_blocks_6_norm2_scale      f32[64]
//   in   params_blocks_6_norm2_variance   f32[64]
//   in   params_blocks_6_norm3_bias       f32[64]
//   in   params_blocks_6_norm3_mean       f32[64]
//   in   params_blocks_6_norm3_scale      f32[64]
//   in   params_blocks_6_norm3_variance   f32[64]
//   in   params_blocks_7_norm2_bias       f32[64]
//   in   params_blocks_7_norm2_mean       f32[64]
//   in   params_blocks_7_norm2_scale      f32[64]
//   in   params_blocks_7_norm2_variance   f32[64]
//   in   params_head_b                    f32[10]
//   in   params_head_w                    f32[64,10]
//   in   x_project_3                      f32[2,1,1,64]
//   in   y_conv2_2                        f32[2,1,1,64]
//   in   y_conv2_3                        f32[2,1,1,64]
//   out  sum                              f32[2,10]
//
//   deviation_3 = x_project_3 - params_blocks_6_norm3_mean
//   inv_std_3   = rsqrt(params_blocks_6_norm3_variance + 1e-05)
//   inverse_3   = params_blocks_6_norm3_scale * inv_std_3
//   x           = deviation_3 * inverse_3 + params_blocks_6_norm3_bias
//   deviation_1 = y_conv2_2 - params_blocks_6_norm2_mean
//   inv_std_1   = rsqrt(params_blocks_6_norm2_variance + 1e-05)
//   inverse_1   = params_blocks_6_norm2_scale * inv_std_1
//   x_plus_y    = x + (deviation_1 * inverse_1 + params_blocks_6_norm2_bias)
//   deviation_2 = y_conv2_3 - params_blocks_7_norm2_mean
//   inv_std_2   = rsqrt(params_blocks_7_norm2_variance + 1e-05)
//   inverse_2   = params_blocks_7_norm2_scale * inv_std_2
//   y           = deviation_2 * inverse_2 + params_blocks_7_norm2_bias
//   x_w         = dot(maximum(maximum(x_plus_y, 0) + y, 0), params_head_w)
//   sum         = x_w + params_head_b
//
// One block of 32 threads. Reads 7.2 kB, writes 80 B.
namespace dense {

constexpr int kRows = 2;
constexpr int kColumns = 10;
constexpr int kElements = kRows * kColumns;  // 20
constexpr int kTerms = 64;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: other parts of the launch write y_conv2_3.
__device__ void run(const Conv8Arrays::DenseArrays& arrays) {
  const auto& [params_blocks_6_norm2_bias, params_blocks_6_norm2_mean, params_blocks_6_norm2_scale,
               params_blocks_6_norm2_variance, params_blocks_6_norm3_bias,
               params_blocks_6_norm3_mean, params_blocks_6_norm3_scale,
               params_blocks_6_norm3_variance, params_blocks_7_norm2_bias,
               params_blocks_7_norm2_mean, params_blocks_7_norm2_scale,
               params_blocks_7_norm2_variance, params_head_b, params_head_w, x_project_3, y_conv2_2,
               y_conv2_3, sum] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float x_w = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int index = row * kTerms + k;

    // batch_norm
    const float inv_std_1 = rsqrtf(params_blocks_6_norm2_variance[k] + 1e-5f);
    const float inverse_1 = params_blocks_6_norm2_scale[k] * inv_std_1;
    const float inv_std_2 = rsqrtf(params_blocks_7_norm2_variance[k] + 1e-5f);
    const float inverse_2 = params_blocks_7_norm2_scale[k] * inv_std_2;
    const float deviation_1 = y_conv2_2[index] - params_blocks_6_norm2_mean[k];
    const float deviation_2 = y_conv2_3[index] - params_blocks_7_norm2_mean[k];
    const float y = fmaf(deviation_2, inverse_2, params_blocks_7_norm2_bias[k]);
    const float inv_std_3 = rsqrtf(params_blocks_6_norm3_variance[k] + 1e-5f);
    const float inverse_3 = params_blocks_6_norm3_scale[k] * inv_std_3;
    const float deviation_3 = x_project_3[index] - params_blocks_6_norm3_mean[k];
    const float x = fmaf(deviation_3, inverse_3, params_blocks_6_norm3_bias[k]);

    // residual
    const float x_plus_y = x + fmaf(deviation_1, inverse_1, params_blocks_6_norm2_bias[k]);
    x_w =
        fmaf(maximum(maximum(x_plus_y, 0.0f) + y, 0.0f), params_head_w[k * kColumns + column], x_w);
  }

  sum[element] = x_w + params_head_b[column];
}

}  // namespace dense

constexpr int kThreads = 32;
constexpr int kBlocks = conv_9::kBlocks;

__global__ void __launch_bounds__(kThreads)
conv_8(const __grid_constant__ Conv8Arrays arrays) {
  const int block = blockIdx.x;
  conv_9::run(block, arrays.conv_9);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  dense::run(arrays.dense);
}

}  // namespace

cudaError_t
enqueue(const Conv8Arrays& arrays, cudaStream_t stream) {
  return launch(conv_8, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace resnet18_kernels::conv_8
