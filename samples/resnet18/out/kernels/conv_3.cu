// conv_3: 2 computations, in one launch whose last block to finish goes on alone.
//
//   conv_10       8 blocks     convolution over f32[2,2,2,32]
//   residual_10   last block   rsqrt, subtract, add, multiply, maximum over f32[2,2,2,32]
//
// 8 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv_3 {
namespace {

// conv_10: convolution over f32[2,2,2,32].
//
//   in   params_blocks_4_conv1     f32[3,3,16,32]
//   in   params_blocks_4_project   f32[1,1,16,32]
//   in   x_6                       f32[2,4,4,16]
//   out  x_project_2_out           f32[2,2,2,32]
//   out  x_conv1_out               f32[2,2,2,32]
//
//   x_project_2_out = convolution(x_6, params_blocks_4_project), window={size=1x1 stride=2x2}
//   x_conv1_out     = convolution(x_6, params_blocks_4_conv1),
//                     window={size=3x3 stride=2x2 pad=0_1x0_1}
//
// 8 blocks of 32 threads. Reads 22.5 kB, writes 2.0 kB.
namespace conv_10 {

constexpr int kI = 2;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kL = 32;
constexpr int kElements = kI * kJ * kK * kL;  // 256
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch read x_conv1_out.
__device__ void run(int block, const Conv3Arrays::Conv10Arrays& arrays) {
  const float* __restrict__ params_blocks_4_conv1 = arrays.params_blocks_4_conv1;
  const float* __restrict__ params_blocks_4_project = arrays.params_blocks_4_project;
  const float* __restrict__ x_6 = arrays.x_6;
  float* __restrict__ x_project_2_out = arrays.x_project_2_out;
  float* x_conv1_out = arrays.x_conv1_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  float x_conv1 = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = j * 2 + ky;
    if (in_row >= 4) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = k * 2 + kx;
      if (in_column >= 4) continue;
      for (int feature = 0; feature < 16; ++feature) {
        x_conv1 = fmaf(x_6[i * 256 + in_row * 64 + in_column * 16 + feature],
                       params_blocks_4_conv1[ky * 1536 + kx * 512 + feature * kL + l], x_conv1);
      }
    }
  }
  float x_project_2 = 0.0f;
  for (int feature = 0; feature < 16; ++feature) {
    x_project_2 = fmaf(x_6[i * 256 + j * 128 + k * 32 + feature],
                       params_blocks_4_project[feature * kL + l], x_project_2);
  }

  x_project_2_out[element] = x_project_2;
  x_conv1_out[element] = x_conv1;
}

}  // namespace conv_10

// residual_10: rsqrt, subtract, add, multiply, maximum over f32[2,2,2,32].
//
//   in   params_blocks_4_norm1_bias       f32[32]
//   in   params_blocks_4_norm1_mean       f32[32]
//   in   params_blocks_4_norm1_scale      f32[32]
//   in   params_blocks_4_norm1_variance   f32[32]
//   in   x_conv1                          f32[2,2,2,32]
//   out  y_5                              f32[2,2,2,32]
//
//   deviation  = x_conv1 - params_blocks_4_norm1_mean
//   inv_std    = rsqrt(params_blocks_4_norm1_variance + 1e-05)
//   inverse    = params_blocks_4_norm1_scale * inv_std
//   normalised = deviation * inverse + params_blocks_4_norm1_bias
//   y_5        = maximum(normalised, 0)
//
// One block of 32 threads, 8 times. Reads 1.5 kB, writes 1.0 kB.
namespace residual_10 {

constexpr int kRows = 8;
constexpr int kColumns = 32;
constexpr int kElements = kRows * kColumns;  // 256
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch write x_conv1.
__device__ void run(int block, const Conv3Arrays::Residual10Arrays& arrays) {
  const float* __restrict__ params_blocks_4_norm1_bias = arrays.params_blocks_4_norm1_bias;
  const float* __restrict__ params_blocks_4_norm1_mean = arrays.params_blocks_4_norm1_mean;
  const float* __restrict__ params_blocks_4_norm1_scale = arrays.params_blocks_4_norm1_scale;
  const float* __restrict__ params_blocks_4_norm1_variance = arrays.params_blocks_4_norm1_variance;
  const float* x_conv1 = arrays.x_conv1;
  float* __restrict__ y_5 = arrays.y_5;
  const int element = block * kThreads + threadIdx.x;
  const int column = element % kColumns;

  const float inv_std = rsqrtf(params_blocks_4_norm1_variance[column] + 1e-5f);
  const float inverse = params_blocks_4_norm1_scale[column] * inv_std;
  const float deviation = x_conv1[element] - params_blocks_4_norm1_mean[column];
  const float normalised = fmaf(deviation, inverse, params_blocks_4_norm1_bias[column]);

  y_5[element] = maximum(normalised, 0.0f);
}

}  // namespace residual_10

constexpr int kThreads = 32;
constexpr int kBlocks = conv_10::kBlocks;

__global__ void __launch_bounds__(kThreads)
conv_3(const __grid_constant__ Conv3Arrays arrays) {
  const int block = blockIdx.x;
  conv_10::run(block, arrays.conv_10);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < residual_10::kBlocks; ++i) residual_10::run(i, arrays.residual_10);
}

}  // namespace

cudaError_t
enqueue(const Conv3Arrays& arrays, cudaStream_t stream) {
  return launch(conv_3, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace resnet18_kernels::conv_3
