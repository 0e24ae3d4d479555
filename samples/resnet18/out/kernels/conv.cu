// conv: convolution, rsqrt, subtract, add, multiply, ... over f32[2,16,16,8].
//
//   in   params_norm_bias       f32[8]
//   in   params_norm_mean       f32[8]
//   in   params_norm_scale      f32[8]
//   in   params_norm_variance   f32[8]
//   in   params_stem            f32[7,7,3,8]
//   in   images                 f32[2,32,32,3]
//   out  x                      f32[2,16,16,8]
//
//   sum        = convolution(images, params_stem), window={size=7x7 stride=2x2 pad=2_3x2_3}
//   inv_std    = rsqrt(params_norm_variance + 1e-05)
//   inverse    = params_norm_scale * inv_std
//   normalised = (sum - params_norm_mean) * inverse + params_norm_bias
//   x          = maximum(normalised, 0)
//
// 32 blocks of 256 threads, a tile of 16 x 16 each. Reads 29.4 kB, writes 16.4 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels::conv {
namespace {

constexpr int kM = 512;
constexpr int kN = 8;
constexpr int kK = 147;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = (kK + kTile - 1) / kTile;        // 10
constexpr int kRowTiles = kM / kTile;                   // 32
constexpr int kColumnTiles = (kN + kTile - 1) / kTile;  // 1

static_assert(kM % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
conv(const float* __restrict__ params_norm_bias,
     const float* __restrict__ params_norm_mean,
     const float* __restrict__ params_norm_scale,
     const float* __restrict__ params_norm_variance,
     const float* __restrict__ params_stem,
     const float* __restrict__ images,
     float* __restrict__ x) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // images_stem: operands a tile at a time, zero outside
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = 0.0f;
    if (lhs_k < kK) {
      const int in_row = row / 16 % 16 * 2 + lhs_k / 21 - 2;
      const int in_column = row % 16 * 2 + lhs_k / 3 % 7 - 2;
      shared.lhs[ty][tx] = in_row >= 0 && in_row < 32 && in_column >= 0 && in_column < 32
                               ? images[row / 256 * 3072 + in_row * 96 + in_column * 3 + lhs_k % 3]
                               : 0.0f;
    }
    shared.rhs[ty][tx] = column < kN && rhs_k < kK ? params_stem[rhs_k * kN + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  if (column >= kN) return;

  const float inv_std = rsqrtf(params_norm_variance[column] + 1e-5f);
  const float inverse = params_norm_scale[column] * inv_std;
  const float normalised = fmaf(sum - params_norm_mean[column], inverse, params_norm_bias[column]);

  x[row * kN + column] = maximum(normalised, 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* params_norm_bias, const float* params_norm_mean,
        const float* params_norm_scale, const float* params_norm_variance, const float* params_stem,
        const float* images, float* x, cudaStream_t stream) {
  return launch(conv, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_norm_bias, params_norm_mean, params_norm_scale, params_norm_variance,
                params_stem, images, x);
}

}  // namespace resnet18_kernels::conv
