// z: convolution over f32[2,7,7,8].
//
//   in   x       f32[2,16,16,3]
//   in   w       f32[3,3,3,8]
//   out  z_out   f32[2,7,7,8]
//
//   z_out = convolution(x, w), window={size=3x3 stride=2x2 pad=0_-1x0_-1}
//
// 7 blocks of 256 threads, a tile of 16 x 16 each. Reads 6.8 kB, writes 3.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace conv3x3_bias_relu_conv_pool_kernels::z {
namespace {

constexpr int kM = 98;
constexpr int kN = 8;
constexpr int kK = 27;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = (kK + kTile - 1) / kTile;        // 2
constexpr int kRowTiles = (kM + kTile - 1) / kTile;     // 7
constexpr int kColumnTiles = (kN + kTile - 1) / kTile;  // 1

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
z(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ z_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // z: operands a tile at a time, zero outside
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = 0.0f;
    if (row < kM && lhs_k < kK) {
      shared.lhs[ty][tx] =
          x[row / 49 * 768 + row / 7 % 7 * 96 + lhs_k / 9 * 48 + row % 7 * 6 + lhs_k % 9];
    }
    shared.rhs[ty][tx] = column < kN && rhs_k < kK ? w[rhs_k * kN + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  if (row >= kM || column >= kN) return;

  z_out[row * kN + column] = sum;
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* w, float* z_out, cudaStream_t stream) {
  return launch(z, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream, x, w, z_out);
}

}  // namespace conv3x3_bias_relu_conv_pool_kernels::z
