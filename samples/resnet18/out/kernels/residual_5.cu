// residual_5: convolution, rsqrt, subtract, add, multiply, ... over f32[2,4,4,16].
//
//   in   params_blocks_2_conv2            f32[3,3,16,16]
//   in   params_blocks_2_norm2_bias       f32[16]
//   in   params_blocks_2_norm2_mean       f32[16]
//   in   params_blocks_2_norm2_scale      f32[16]
//   in   params_blocks_2_norm2_variance   f32[16]
//   in   params_blocks_2_norm3_bias       f32[16]
//   in   params_blocks_2_norm3_mean       f32[16]
//   in   params_blocks_2_norm3_scale      f32[16]
//   in   params_blocks_2_norm3_variance   f32[16]
//   in   x_project                        f32[2,4,4,16]
//   in   y_3                              f32[2,4,4,16]
//   out  x_5                              f32[2,4,4,16]
//
//   deviation_2 = x_project - params_blocks_2_norm3_mean
//   inv_std_2   = rsqrt(params_blocks_2_norm3_variance + 1e-05)
//   inverse_2   = params_blocks_2_norm3_scale * inv_std_2
//   x           = deviation_2 * inverse_2 + params_blocks_2_norm3_bias
//   sum         = convolution(y_3, params_blocks_2_conv2), window={size=3x3 pad=1_1x1_1}
//   deviation_1 = sum - params_blocks_2_norm2_mean
//   inv_std_1   = rsqrt(params_blocks_2_norm2_variance + 1e-05)
//   inverse_1   = params_blocks_2_norm2_scale * inv_std_1
//   x_plus_y    = x + (deviation_1 * inverse_1 + params_blocks_2_norm2_bias)
//   x_5         = maximum(x_plus_y, 0)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 13.8 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::residual_5 {
namespace {

constexpr int kM = 32;
constexpr int kN = 16;
constexpr int kK = 144;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 9
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 1

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
residual_5(const float* __restrict__ params_blocks_2_conv2,
           const float* __restrict__ params_blocks_2_norm2_bias,
           const float* __restrict__ params_blocks_2_norm2_mean,
           const float* __restrict__ params_blocks_2_norm2_scale,
           const float* __restrict__ params_blocks_2_norm2_variance,
           const float* __restrict__ params_blocks_2_norm3_bias,
           const float* __restrict__ params_blocks_2_norm3_mean,
           const float* __restrict__ params_blocks_2_norm3_scale,
           const float* __restrict__ params_blocks_2_norm3_variance,
           const float* __restrict__ x_project,
           const float* __restrict__ y_3,
           float* __restrict__ x_5) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // y_conv2: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    const int in_row = lhs_k / 48 + row / 4 % 4 - 1;
    const int in_column = lhs_k / 16 % 3 + row % 4 - 1;
    shared.lhs[ty][tx] = in_row >= 0 && in_row < 4 && in_column >= 0 && in_column < 4
                             ? y_3[row / 16 * 256 + in_row * 64 + in_column * 16 + lhs_k % 16]
                             : 0.0f;
    shared.rhs[ty][tx] = params_blocks_2_conv2[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  const int index = row * kN + column;

  // batch_norm
  const float inv_std_1 = rsqrtf(params_blocks_2_norm2_variance[column] + 1e-5f);
  const float inverse_1 = params_blocks_2_norm2_scale[column] * inv_std_1;
  const float deviation_1 = sum - params_blocks_2_norm2_mean[column];
  const float inv_std_2 = rsqrtf(params_blocks_2_norm3_variance[column] + 1e-5f);
  const float inverse_2 = params_blocks_2_norm3_scale[column] * inv_std_2;
  const float deviation_2 = x_project[index] - params_blocks_2_norm3_mean[column];
  const float x = fmaf(deviation_2, inverse_2, params_blocks_2_norm3_bias[column]);

  const float x_plus_y = x + fmaf(deviation_1, inverse_1, params_blocks_2_norm2_bias[column]);

  x_5[index] = maximum(x_plus_y, 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_2_conv2, const float* params_blocks_2_norm2_bias,
        const float* params_blocks_2_norm2_mean, const float* params_blocks_2_norm2_scale,
        const float* params_blocks_2_norm2_variance, const float* params_blocks_2_norm3_bias,
        const float* params_blocks_2_norm3_mean, const float* params_blocks_2_norm3_scale,
        const float* params_blocks_2_norm3_variance, const float* x_project, const float* y_3,
        float* x_5, cudaStream_t stream) {
  return launch(residual_5, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_blocks_2_conv2, params_blocks_2_norm2_bias, params_blocks_2_norm2_mean,
                params_blocks_2_norm2_scale, params_blocks_2_norm2_variance,
                params_blocks_2_norm3_bias, params_blocks_2_norm3_mean, params_blocks_2_norm3_scale,
                params_blocks_2_norm3_variance, x_project, y_3, x_5);
}

}  // namespace resnet18_kernels::residual_5
