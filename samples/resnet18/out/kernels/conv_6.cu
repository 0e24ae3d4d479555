// conv_6: 2 computations, in one launch whose last block to finish goes on alone.
//
//   conv       4 blocks     convolution over f32[2,1,1,64]
//   residual   last block   rsqrt, subtract, add, multiply, maximum over f32[2,1,1,64]
//
// 4 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv_6 {
namespace {

// conv: convolution over f32[2,1,1,64].
//
//   in   params_blocks_6_conv1     f32[3,3,32,64]
//   in   params_blocks_6_project   f32[1,1,32,64]
//   in   x                         f32[2,2,2,32]
//   out  x_project_out             f32[2,1,1,64]
//   out  x_conv1_out               f32[2,1,1,64]
//
//   x_project_out = convolution(x, params_blocks_6_project), window={size=1x1 stride=2x2}
//   x_conv1_out   = convolution(x, params_blocks_6_conv1), window={size=3x3 stride=2x2 pad=0_1x0_1}
//
// 4 blocks of 32 threads. Reads 82.9 kB, writes 1.0 kB.
namespace conv {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const Conv6Arrays::ConvArrays& arrays) {
  const float* __restrict__ params_blocks_6_conv1 = arrays.params_blocks_6_conv1;
  const float* __restrict__ params_blocks_6_project = arrays.params_blocks_6_project;
  const float* __restrict__ x = arrays.x;
  float* __restrict__ x_project_out = arrays.x_project_out;
  float* x_conv1_out = arrays.x_conv1_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / 64;
  const int column = element % 64;

  float x_conv1 = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = ky;
    if (in_row >= 2) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = kx;
      if (in_column >= 2) continue;
      for (int feature = 0; feature < 32; ++feature) {
        x_conv1 = fmaf(x[row * 128 + in_row * 64 + in_column * 32 + feature],
                       params_blocks_6_conv1[ky * 6144 + kx * 2048 + feature * 64 + column],
                       x_conv1);
      }
    }
  }
  float x_project = 0.0f;
  for (int feature = 0; feature < 32; ++feature) {
    x_project =
        fmaf(x[row * 128 + feature], params_blocks_6_project[feature * 64 + column], x_project);
  }

  x_project_out[element] = x_project;
  x_conv1_out[element] = x_conv1;
}

}  // namespace conv

// residual: rsqrt, subtract, add, multiply, maximum over f32[2,1,1,64].
//
//   in   params_blocks_6_norm1_bias       f32[64]
//   in   params_blocks_6_norm1_mean       f32[64]
//   in   params_blocks_6_norm1_scale      f32[64]
//   in   params_blocks_6_norm1_variance   f32[64]
//   in   x_conv1                          f32[2,1,1,64]
//   out  y                                f32[2,1,1,64]
//
//   deviation  = x_conv1 - params_blocks_6_norm1_mean
//   inv_std    = rsqrt(params_blocks_6_norm1_variance + 1e-05)
//   inverse    = params_blocks_6_norm1_scale * inv_std
//   normalised = deviation * inverse + params_blocks_6_norm1_bias
//   y          = maximum(normalised, 0)
//
// One block of 32 threads, 4 times. Reads 1.5 kB, writes 512 B.
namespace residual {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const Conv6Arrays::ResidualArrays& arrays) {
  const float* __restrict__ params_blocks_6_norm1_bias = arrays.params_blocks_6_norm1_bias;
  const float* __restrict__ params_blocks_6_norm1_mean = arrays.params_blocks_6_norm1_mean;
  const float* __restrict__ params_blocks_6_norm1_scale = arrays.params_blocks_6_norm1_scale;
  const float* __restrict__ params_blocks_6_norm1_variance = arrays.params_blocks_6_norm1_variance;
  const float* x_conv1 = arrays.x_conv1;
  float* __restrict__ y = arrays.y;
  const int element = block * kThreads + threadIdx.x;
  const int column = element % 64;

  const float inv_std = rsqrtf(params_blocks_6_norm1_variance[column] + 1e-5f);
  const float inverse = params_blocks_6_norm1_scale[column] * inv_std;
  const float deviation = x_conv1[element] - params_blocks_6_norm1_mean[column];
  const float normalised = fmaf(deviation, inverse, params_blocks_6_norm1_bias[column]);

  y[element] = maximum(normalised, 0.0f);
}

}  // namespace residual

constexpr int kThreads = 32;
constexpr int kBlocks = conv::kBlocks;

__global__ void __launch_bounds__(kThreads)
conv_6(const __grid_constant__ Conv6Arrays arrays) {
  const int block = blockIdx.x;
  conv::run(block, arrays.conv);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < residual::kBlocks; ++i) residual::run(i, arrays.residual);
}

}  // namespace

cudaError_t
enqueue(const Conv6Arrays& arrays, cudaStream_t stream) {
  return launch(conv_6, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace resnet18_kernels::conv_6
