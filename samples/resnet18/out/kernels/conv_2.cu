// conv_2: 2 computations, in one launch that divides its blocks among them.
//
//   conv_9       2 blocks   convolution over f32[2,4,4,16]
//   residual_9   2 blocks   convolution, rsqrt, subtract, add, multiply, ... over f32[2,4,4,16]
//
// 4 blocks of 256 threads.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv_2 {
namespace {

// conv_9: convolution over f32[2,4,4,16].
//
//   in   params_blocks_2_project   f32[1,1,8,16]
//   in   x_4                       f32[2,8,8,8]
//   out  x_project_out             f32[2,4,4,16]
//
//   x_project_out = convolution(x_4, params_blocks_2_project), window={size=1x1 stride=2x2}
//
// 2 blocks of 256 threads. Reads 1.5 kB, writes 2.0 kB.
namespace conv_9 {

constexpr int kI = 8;
constexpr int kJ = 4;
constexpr int kK = 16;
constexpr int kElements = kI * kJ * kK;  // 512
constexpr int kFeatures = 8;
constexpr int kThreads = 256;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const Conv2Arrays::Conv9Arrays& arrays) {
  const float* __restrict__ params_blocks_2_project = arrays.params_blocks_2_project;
  const float* __restrict__ x_4 = arrays.x_4;
  float* __restrict__ x_project_out = arrays.x_project_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  float x_project = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    x_project =
        fmaf(x_4[i * 128 + j * 16 + feature], params_blocks_2_project[feature * kK + k], x_project);
  }

  x_project_out[element] = x_project;
}

}  // namespace conv_9

// residual_9: convolution, rsqrt, subtract, add, multiply, ... over f32[2,4,4,16].
//
//   in   params_blocks_2_conv1            f32[3,3,8,16]
//   in   params_blocks_2_norm1_bias       f32[16]
//   in   params_blocks_2_norm1_mean       f32[16]
//   in   params_blocks_2_norm1_scale      f32[16]
//   in   params_blocks_2_norm1_variance   f32[16]
//   in   x_4                              f32[2,8,8,8]
//   out  y_3                              f32[2,4,4,16]
//
//   sum        = convolution(x_4, params_blocks_2_conv1), window={size=3x3 stride=2x2 pad=0_1x0_1}
//   deviation  = sum - params_blocks_2_norm1_mean
//   inv_std    = rsqrt(params_blocks_2_norm1_variance + 1e-05)
//   inverse    = params_blocks_2_norm1_scale * inv_std
//   normalised = deviation * inverse + params_blocks_2_norm1_bias
//   y_3        = maximum(normalised, 0)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 9.0 kB, writes 2.0 kB.
namespace residual_9 {

constexpr int kM = 32;
constexpr int kN = 16;
constexpr int kK = 72;
constexpr int kTile = 16;
constexpr int kSteps = (kK + kTile - 1) / kTile;  // 5
constexpr int kRowTiles = kM / kTile;             // 2
constexpr int kColumnTiles = kN / kTile;          // 1
constexpr int kBlocks = kColumnTiles * kRowTiles;

static_assert(kM % kTile == 0 && kN % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__device__ void run(int block, const Conv2Arrays::Residual9Arrays& arrays) {
  const float* __restrict__ params_blocks_2_conv1 = arrays.params_blocks_2_conv1;
  const float* __restrict__ params_blocks_2_norm1_bias = arrays.params_blocks_2_norm1_bias;
  const float* __restrict__ params_blocks_2_norm1_mean = arrays.params_blocks_2_norm1_mean;
  const float* __restrict__ params_blocks_2_norm1_scale = arrays.params_blocks_2_norm1_scale;
  const float* __restrict__ params_blocks_2_norm1_variance = arrays.params_blocks_2_norm1_variance;
  const float* __restrict__ x_4 = arrays.x_4;
  float* __restrict__ y_3 = arrays.y_3;
  const int block_x = block % kColumnTiles;
  const int block_y = block / kColumnTiles;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = block_y * kTile + ty;
  const int column = block_x * kTile + tx;

  // x_conv1: operands a tile at a time, zero outside
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = 0.0f;
    if (lhs_k < kK) {
      const int in_row = row / 4 % 4 * 2 + lhs_k / 24;
      const int in_column = row % 4 * 2 + lhs_k / 8 % 3;
      shared.lhs[ty][tx] = in_row < 8 && in_column < 8
                               ? x_4[row / 16 * 512 + in_row * 64 + in_column * 8 + lhs_k % 8]
                               : 0.0f;
    }
    shared.rhs[ty][tx] = rhs_k < kK ? params_blocks_2_conv1[rhs_k * kN + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  const float inv_std = rsqrtf(params_blocks_2_norm1_variance[column] + 1e-5f);
  const float inverse = params_blocks_2_norm1_scale[column] * inv_std;
  const float deviation = sum - params_blocks_2_norm1_mean[column];
  const float normalised = fmaf(deviation, inverse, params_blocks_2_norm1_bias[column]);

  y_3[row * kN + column] = maximum(normalised, 0.0f);
}

}  // namespace residual_9

constexpr int kThreads = 256;
constexpr int kBlocks = conv_9::kBlocks + residual_9::kBlocks;

__global__ void __launch_bounds__(kThreads)
conv_2(const __grid_constant__ Conv2Arrays arrays) {
  int block = blockIdx.x;
  if (block < conv_9::kBlocks) {
    conv_9::run(block, arrays.conv_9);
    return;
  }
  block -= conv_9::kBlocks;
  residual_9::run(block, arrays.residual_9);
}

}  // namespace

cudaError_t
enqueue(const Conv2Arrays& arrays, cudaStream_t stream) {
  return launch(conv_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace resnet18_kernels::conv_2
