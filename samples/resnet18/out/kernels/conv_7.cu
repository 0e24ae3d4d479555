// conv_7: 2 computations, in one launch whose last block to finish goes on alone.
//
//   conv       4 blocks     convolution over f32[2,1,1,64]
//   residual   last block   rsqrt, subtract, add, multiply, maximum over f32[2,1,1,64]
//
// 4 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv_7 {
namespace {

// conv: convolution over f32[2,1,1,64].
//
//   in   params_blocks_6_conv2   f32[3,3,64,64]
//   in   y                       f32[2,1,1,64]
//   out  y_conv2_out             f32[2,1,1,64]
//
//   y_conv2_out = convolution(y, params_blocks_6_conv2), window={size=3x3 pad=1_1x1_1}
//
// 4 blocks of 32 threads. Reads 148 kB, writes 512 B.
namespace conv {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const Conv7Arrays::ConvArrays& arrays) {
  const float* __restrict__ params_blocks_6_conv2 = arrays.params_blocks_6_conv2;
  const float* __restrict__ y = arrays.y;
  float* y_conv2_out = arrays.y_conv2_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / 64;
  const int column = element % 64;

  float y_conv2 = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = ky - 1;
    if (in_row < 0 || in_row >= 1) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = kx - 1;
      if (in_column < 0 || in_column >= 1) continue;
      for (int feature = 0; feature < 64; ++feature) {
        y_conv2 = fmaf(y[row * 64 + feature],
                       params_blocks_6_conv2[ky * 12288 + kx * 4096 + feature * 64 + column],
                       y_conv2);
      }
    }
  }

  y_conv2_out[element] = y_conv2;
}

}  // namespace conv

// residual: rsqrt, subtract, add, multiply, maximum over f32[2,1,1,64].
//
//   in   params_blocks_6_norm2_bias       f32[64]
//   in   params_blocks_6_norm2_mean       f32[64]
//   in   params_blocks_6_norm2_scale      f32[64]
//   in   params_blocks_6_norm2_variance   f32[64]
//   in   params_blocks_6_norm3_bias       f32[64]
//   in   params_blocks_6_norm3_mean       f32[64]
//   in   params_blocks_6_norm3_scale      f32[64]
//   in   params_blocks_6_norm3_variance   f32[64]
//   in   x_project                        f32[2,1,1,64]
//   in   y_conv2                          f32[2,1,1,64]
//   out  x                                f32[2,1,1,64]
//
//   deviation_2 = x_project - params_blocks_6_norm3_mean
//   inv_std_2   = rsqrt(params_blocks_6_norm3_variance + 1e-05)
//   inverse_2   = params_blocks_6_norm3_scale * inv_std_2
//   x_1         = deviation_2 * inverse_2 + params_blocks_6_norm3_bias
//   deviation_1 = y_conv2 - params_blocks_6_norm2_mean
//   inv_std_1   = rsqrt(params_blocks_6_norm2_variance + 1e-05)
//   inverse_1   = params_blocks_6_norm2_scale * inv_std_1
//   x_plus_y    = x_1 + (deviation_1 * inverse_1 + params_blocks_6_norm2_bias)
//   x           = maximum(x_plus_y, 0)
//
// One block of 32 threads, 4 times. Reads 3.1 kB, writes 512 B.
namespace residual {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const Conv7Arrays::ResidualArrays& arrays) {
  const float* __restrict__ params_blocks_6_norm2_bias = arrays.params_blocks_6_norm2_bias;
  const float* __restrict__ params_blocks_6_norm2_mean = arrays.params_blocks_6_norm2_mean;
  const float* __restrict__ params_blocks_6_norm2_scale = arrays.params_blocks_6_norm2_scale;
  const float* __restrict__ params_blocks_6_norm2_variance = arrays.params_blocks_6_norm2_variance;
  const float* __restrict__ params_blocks_6_norm3_bias = arrays.params_blocks_6_norm3_bias;
  const float* __restrict__ params_blocks_6_norm3_mean = arrays.params_blocks_6_norm3_mean;
  const float* __restrict__ params_blocks_6_norm3_scale = arrays.params_blocks_6_norm3_scale;
  const float* __restrict__ params_blocks_6_norm3_variance = arrays.params_blocks_6_norm3_variance;
  const float* __restrict__ x_project = arrays.x_project;
  const float* y_conv2 = arrays.y_conv2;
  float* __restrict__ x = arrays.x;
  const int element = block * kThreads + threadIdx.x;
  const int column = element % 64;

  // batch_norm
  const float inv_std_1 = rsqrtf(params_blocks_6_norm2_variance[column] + 1e-5f);
  const float inverse_1 = params_blocks_6_norm2_scale[column] * inv_std_1;
  const float deviation_1 = y_conv2[element] - params_blocks_6_norm2_mean[column];
  const float inv_std_2 = rsqrtf(params_blocks_6_norm3_variance[column] + 1e-5f);
  const float inverse_2 = params_blocks_6_norm3_scale[column] * inv_std_2;
  const float deviation_2 = x_project[element] - params_blocks_6_norm3_mean[column];
  const float x_1 = fmaf(deviation_2, inverse_2, params_blocks_6_norm3_bias[column]);

  // residual
  const float x_plus_y = x_1 + fmaf(deviation_1, inverse_1, params_blocks_6_norm2_bias[column]);

  x[element] = maximum(x_plus_y, 0.0f);
}

}  // namespace residual

constexpr int kThreads = 32;
constexpr int kBlocks = conv::kBlocks;

__global__ void __launch_bounds__(kThreads)
conv_7(const __grid_constant__ Conv7Arrays arrays) {
  const int block = blockIdx.x;
  conv::run(block, arrays.conv);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < residual::kBlocks; ++i) residual::run(i, arrays.residual);
}

}  // namespace

cudaError_t
enqueue(const Conv7Arrays& arrays, cudaStream_t stream) {
  return launch(conv_7, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace resnet18_kernels::conv_7
