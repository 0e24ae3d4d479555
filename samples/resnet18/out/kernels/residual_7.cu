// residual_7: 2 computations, in one launch whose last block to finish goes on alone.
//
//   residual_9   2 blocks     convolution, rsqrt, subtract, add, multiply, ... over f32[2,4,4,16]
//   conv_9       last block   convolution over f32[2,2,2,32]
//
// 2 blocks of 256 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::residual_7 {
namespace {

// residual_9: convolution, rsqrt, subtract, add, multiply, ... over f32[2,4,4,16].
//
//   in   params_blocks_3_conv2            f32[3,3,16,16]
//   in   params_blocks_3_norm2_bias       f32[16]
//   in   params_blocks_3_norm2_mean       f32[16]
//   in   params_blocks_3_norm2_scale      f32[16]
//   in   params_blocks_3_norm2_variance   f32[16]
//   in   x_5                              f32[2,4,4,16]
//   in   y_4                              f32[2,4,4,16]
//   out  x_6                              f32[2,4,4,16]
//
//   sum       = convolution(y_4, params_blocks_3_conv2), window={size=3x3 pad=1_1x1_1}
//   deviation = sum - params_blocks_3_norm2_mean
//   inv_std   = rsqrt(params_blocks_3_norm2_variance + 1e-05)
//   inverse   = params_blocks_3_norm2_scale * inv_std
//   y         = deviation * inverse + params_blocks_3_norm2_bias
//   x_6       = maximum(x_5 + y, 0)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 13.6 kB, writes 2.0 kB.
namespace residual_9 {

constexpr int kM = 32;
constexpr int kN = 16;
constexpr int kK = 144;
constexpr int kTile = 16;
constexpr int kSteps = kK / kTile;        // 9
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 1
constexpr int kBlocks = kColumnTiles * kRowTiles;

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

// Not __restrict__: other parts of the launch read x_6.
__device__ void run(int block, const Residual7Arrays::Residual9Arrays& arrays) {
  const float* __restrict__ params_blocks_3_conv2 = arrays.params_blocks_3_conv2;
  const float* __restrict__ params_blocks_3_norm2_bias = arrays.params_blocks_3_norm2_bias;
  const float* __restrict__ params_blocks_3_norm2_mean = arrays.params_blocks_3_norm2_mean;
  const float* __restrict__ params_blocks_3_norm2_scale = arrays.params_blocks_3_norm2_scale;
  const float* __restrict__ params_blocks_3_norm2_variance = arrays.params_blocks_3_norm2_variance;
  const float* __restrict__ x_5 = arrays.x_5;
  const float* __restrict__ y_4 = arrays.y_4;
  float* x_6 = arrays.x_6;
  const int block_x = block % kColumnTiles;
  const int block_y = block / kColumnTiles;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = block_y * kTile + ty;
  const int column = block_x * kTile + tx;

  // y_conv2: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    const int in_row = lhs_k / 48 + row / 4 % 4 - 1;
    const int in_column = lhs_k / 16 % 3 + row % 4 - 1;
    shared.lhs[ty][tx] = in_row >= 0 && in_row < 4 && in_column >= 0 && in_column < 4
                             ? y_4[row / 16 * 256 + in_row * 64 + in_column * 16 + lhs_k % 16]
                             : 0.0f;
    shared.rhs[ty][tx] = params_blocks_3_conv2[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  const int index = row * kN + column;
  const float inv_std = rsqrtf(params_blocks_3_norm2_variance[column] + 1e-5f);
  const float inverse = params_blocks_3_norm2_scale[column] * inv_std;
  const float deviation = sum - params_blocks_3_norm2_mean[column];
  const float y = fmaf(deviation, inverse, params_blocks_3_norm2_bias[column]);

  x_6[index] = maximum(x_5[index] + y, 0.0f);
}

}  // namespace residual_9

// conv_9: convolution over f32[2,2,2,32].
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
// One block of 256 threads. Reads 22.5 kB, writes 2.0 kB.
namespace conv_9 {

constexpr int kI = 2;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kL = 32;
constexpr int kElements = kI * kJ * kK * kL;  // 256
constexpr int kFeatures = 16;
constexpr int kThreads = 256;

static_assert(kElements == kThreads, "a thread of the one block has an element");

// No pointer is __restrict__: other parts of the launch write x_6.
__device__ void run(const Residual7Arrays::Conv9Arrays& arrays) {
  const auto& [params_blocks_4_conv1, params_blocks_4_project, x_6, x_project_2_out,
               x_conv1_out] = arrays;
  const int element = threadIdx.x;
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
      for (int feature = 0; feature < kFeatures; ++feature) {
        x_conv1 = fmaf(x_6[((i * 4 + in_row) * 4 + in_column) * kFeatures + feature],
                       params_blocks_4_conv1[((ky * 3 + kx) * kFeatures + feature) * kL + l],
                       x_conv1);
      }
    }
  }
  float x_project_2 = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    x_project_2 = fmaf(x_6[i * 256 + j * 128 + k * 32 + feature],
                       params_blocks_4_project[feature * kL + l], x_project_2);
  }

  x_project_2_out[element] = x_project_2;
  x_conv1_out[element] = x_conv1;
}

}  // namespace conv_9

constexpr int kThreads = 256;
constexpr int kBlocks = residual_9::kBlocks;

__global__ void __launch_bounds__(kThreads)
residual_7(const __grid_constant__ Residual7Arrays arrays) {
  const int block = blockIdx.x;
  residual_9::run(block, arrays.residual_9);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  conv_9::run(arrays.conv_9);
}

}  // namespace

cudaError_t
enqueue(const Residual7Arrays& arrays, cudaStream_t stream) {
  return launch(residual_7, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace resnet18_kernels::residual_7
