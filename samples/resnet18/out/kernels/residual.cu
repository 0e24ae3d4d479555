// residual: convolution, rsqrt, subtract, add, multiply, ... over f32[2,8,8,8].
//
//   in   params_blocks_conv1            f32[3,3,8,8]
//   in   params_blocks_norm1_bias       f32[8]
//   in   params_blocks_norm1_mean       f32[8]
//   in   params_blocks_norm1_scale      f32[8]
//   in   params_blocks_norm1_variance   f32[8]
//   in   x                              f32[2,8,8,8]
//   out  y                              f32[2,8,8,8]
//
//   sum       = convolution(x, params_blocks_conv1), window={size=3x3 pad=1_1x1_1}
//   deviation = sum - params_blocks_norm1_mean
//   inv_std   = rsqrt(params_blocks_norm1_variance + 1e-05)
//   inverse   = params_blocks_norm1_scale * inv_std
//   y         = maximum(deviation * inverse + params_blocks_norm1_bias, 0)
//
// 8 blocks of 256 threads, a tile of 16 x 16 each. Reads 6.5 kB, writes 4.1 kB.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::residual {
namespace {

constexpr int kM = 128;
constexpr int kN = 8;
constexpr int kK = 72;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = (kK + kTile - 1) / kTile;        // 5
constexpr int kRowTiles = kM / kTile;                   // 8
constexpr int kColumnTiles = (kN + kTile - 1) / kTile;  // 1

static_assert(kM % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
residual(const float* __restrict__ params_blocks_conv1,
         const float* __restrict__ params_blocks_norm1_bias,
         const float* __restrict__ params_blocks_norm1_mean,
         const float* __restrict__ params_blocks_norm1_scale,
         const float* __restrict__ params_blocks_norm1_variance,
         const float* __restrict__ x,
         float* __restrict__ y) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // x_conv1: operands a tile at a time, zero outside
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = 0.0f;
    if (lhs_k < kK) {
      const int in_row = lhs_k / 24 + row / 8 % 8 - 1;
      const int in_column = lhs_k / 8 % 3 + row % 8 - 1;
      shared.lhs[ty][tx] = in_row >= 0 && in_row < 8 && in_column >= 0 && in_column < 8
                               ? x[row / 64 * 512 + in_row * 64 + in_column * 8 + lhs_k % 8]
                               : 0.0f;
    }
    shared.rhs[ty][tx] =
        column < kN && rhs_k < kK ? params_blocks_conv1[rhs_k * kN + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  if (column >= kN) return;

  const float inv_std = rsqrtf(params_blocks_norm1_variance[column] + 1e-5f);
  const float inverse = params_blocks_norm1_scale[column] * inv_std;
  const float deviation = sum - params_blocks_norm1_mean[column];

  y[row * kN + column] = maximum(fmaf(deviation, inverse, params_blocks_norm1_bias[column]), 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_conv1, const float* params_blocks_norm1_bias,
        const float* params_blocks_norm1_mean, const float* params_blocks_norm1_scale,
        const float* params_blocks_norm1_variance, const float* x, float* y, cudaStream_t stream) {
  return launch(residual, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_blocks_conv1, params_blocks_norm1_bias, params_blocks_norm1_mean,
                params_blocks_norm1_scale, params_blocks_norm1_variance, x, y);
}

}  // namespace resnet18_kernels::residual
