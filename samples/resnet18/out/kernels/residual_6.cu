// residual_6: convolution, rsqrt, subtract, add, multiply, ... over f32[2,4,4,16].
//
//   in   params_blocks_3_conv1            f32[3,3,16,16]
//   in   params_blocks_3_norm1_bias       f32[16]
//   in   params_blocks_3_norm1_mean       f32[16]
//   in   params_blocks_3_norm1_scale      f32[16]
//   in   params_blocks_3_norm1_variance   f32[16]
//   in   x_5                              f32[2,4,4,16]
//   out  y_4                              f32[2,4,4,16]
//
//   sum        = convolution(x_5, params_blocks_3_conv1), window={size=3x3 pad=1_1x1_1}
//   deviation  = sum - params_blocks_3_norm1_mean
//   inv_std    = rsqrt(params_blocks_3_norm1_variance + 1e-05)
//   inverse    = params_blocks_3_norm1_scale * inv_std
//   normalised = deviation * inverse + params_blocks_3_norm1_bias
//   y_4        = maximum(normalised, 0)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 11.5 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::residual_6 {
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
residual_6(const float* __restrict__ params_blocks_3_conv1,
           const float* __restrict__ params_blocks_3_norm1_bias,
           const float* __restrict__ params_blocks_3_norm1_mean,
           const float* __restrict__ params_blocks_3_norm1_scale,
           const float* __restrict__ params_blocks_3_norm1_variance,
           const float* __restrict__ x_5,
           float* __restrict__ y_4) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // x_conv1: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    const int in_row = lhs_k / 48 + row / 4 % 4 - 1;
    const int in_column = lhs_k / 16 % 3 + row % 4 - 1;
    shared.lhs[ty][tx] = in_row >= 0 && in_row < 4 && in_column >= 0 && in_column < 4
                             ? x_5[row / 16 * 256 + in_row * 64 + in_column * 16 + lhs_k % 16]
                             : 0.0f;
    shared.rhs[ty][tx] = params_blocks_3_conv1[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  const float inv_std = rsqrtf(params_blocks_3_norm1_variance[column] + 1e-5f);
  const float inverse = params_blocks_3_norm1_scale[column] * inv_std;
  const float deviation = sum - params_blocks_3_norm1_mean[column];
  const float normalised = fmaf(deviation, inverse, params_blocks_3_norm1_bias[column]);

  y_4[row * kN + column] = maximum(normalised, 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_3_conv1, const float* params_blocks_3_norm1_bias,
        const float* params_blocks_3_norm1_mean, const float* params_blocks_3_norm1_scale,
        const float* params_blocks_3_norm1_variance, const float* x_5, float* y_4,
        cudaStream_t stream) {
  return launch(residual_6, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_blocks_3_conv1, params_blocks_3_norm1_bias, params_blocks_3_norm1_mean,
                params_blocks_3_norm1_scale, params_blocks_3_norm1_variance, x_5, y_4);
}

}  // namespace resnet18_kernels::residual_6
