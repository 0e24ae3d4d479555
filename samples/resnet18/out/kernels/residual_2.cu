// residual_2: convolution, rsqrt, subtract, add, multiply, ... over f32[2,8,8,8].
//
//   in   params_blocks_conv2            f32[3,3,8,8]
//   in   params_blocks_norm2_bias       f32[8]
//   in   params_blocks_norm2_mean       f32[8]
//   in   params_blocks_norm2_scale      f32[8]
//   in   params_blocks_norm2_variance   f32[8]
//   in   x_in                           f32[2,8,8,8]
//   in   y                              f32[2,8,8,8]
//   out  x_out                          f32[2,8,8,8]
//
//   sum       = convolution(y, params_blocks_conv2), window={size=3x3 pad=1_1x1_1}
//   deviation = sum - params_blocks_norm2_mean
//   inv_std   = rsqrt(params_blocks_norm2_variance + 1e-05)
//   inverse   = params_blocks_norm2_scale * inv_std
//   y_1       = deviation * inverse + params_blocks_norm2_bias
//   x_out     = maximum(x_in + y_1, 0)
//
// 8 blocks of 256 threads, a tile of 16 x 16 each. Reads 10.6 kB, writes 4.1 kB.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::residual_2 {
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
residual_2(const float* __restrict__ params_blocks_conv2,
           const float* __restrict__ params_blocks_norm2_bias,
           const float* __restrict__ params_blocks_norm2_mean,
           const float* __restrict__ params_blocks_norm2_scale,
           const float* __restrict__ params_blocks_norm2_variance,
           const float* __restrict__ x_in,
           const float* __restrict__ y,
           float* __restrict__ x_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // y_conv2: operands a tile at a time, zero outside
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = 0.0f;
    if (lhs_k < kK) {
      const int in_row = lhs_k / 24 + row / 8 % 8 - 1;
      const int in_column = lhs_k / 8 % 3 + row % 8 - 1;
      shared.lhs[ty][tx] = in_row >= 0 && in_row < 8 && in_column >= 0 && in_column < 8
                               ? y[row / 64 * 512 + in_row * 64 + in_column * 8 + lhs_k % 8]
                               : 0.0f;
    }
    shared.rhs[ty][tx] =
        column < kN && rhs_k < kK ? params_blocks_conv2[rhs_k * kN + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  if (column >= kN) return;

  const int index = row * kN + column;
  const float inv_std = rsqrtf(params_blocks_norm2_variance[column] + 1e-5f);
  const float inverse = params_blocks_norm2_scale[column] * inv_std;
  const float deviation = sum - params_blocks_norm2_mean[column];
  const float y_1 = fmaf(deviation, inverse, params_blocks_norm2_bias[column]);

  x_out[index] = maximum(x_in[index] + y_1, 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_conv2, const float* params_blocks_norm2_bias,
        const float* params_blocks_norm2_mean, const float* params_blocks_norm2_scale,
        const float* params_blocks_norm2_variance, const float* x_in, const float* y, float* x_out,
        cudaStream_t stream) {
  return launch(residual_2, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_blocks_conv2, params_blocks_norm2_bias, params_blocks_norm2_mean,
                params_blocks_norm2_scale, params_blocks_norm2_variance, x_in, y, x_out);
}

}  // namespace resnet18_kernels::residual_2
