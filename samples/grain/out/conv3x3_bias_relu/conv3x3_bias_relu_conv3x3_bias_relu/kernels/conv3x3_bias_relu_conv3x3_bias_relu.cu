// conv3x3_bias_relu_conv3x3_bias_relu: convolution, add, maximum over f32[2,16,16,8].
//
//   in   x      f32[2,16,16,3]
//   in   w      f32[3,3,3,8]
//   in   bias   f32[8]
//   out  y      f32[2,16,16,8]
//
//   sum = convolution(x, w), window={size=3x3 pad=1_1x1_1}
//   y   = maximum(sum + bias, 0)
//
// 32 blocks of 256 threads, a tile of 16 x 16 each. Reads 7.0 kB, writes 16.4 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace conv3x3_bias_relu_conv3x3_bias_relu_kernels::conv3x3_bias_relu_conv3x3_bias_relu {
namespace {

constexpr int kM = 512;
constexpr int kN = 8;
constexpr int kK = 27;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = (kK + kTile - 1) / kTile;        // 2
constexpr int kRowTiles = kM / kTile;                   // 32
constexpr int kColumnTiles = (kN + kTile - 1) / kTile;  // 1

static_assert(kM % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
conv3x3_bias_relu_conv3x3_bias_relu(const float* __restrict__ x,
                                    const float* __restrict__ w,
                                    const float* __restrict__ bias,
                                    float* __restrict__ y) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // y: operands a tile at a time, zero outside
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = 0.0f;
    if (lhs_k < kK) {
      const int in_row = lhs_k / 9 + row / 16 % 16 - 1;
      const int in_column = lhs_k / 3 % 3 + row % 16 - 1;
      shared.lhs[ty][tx] = in_row >= 0 && in_row < 16 && in_column >= 0 && in_column < 16
                               ? x[row / 256 * 768 + in_row * 48 + in_column * 3 + lhs_k % 3]
                               : 0.0f;
    }
    shared.rhs[ty][tx] = column < kN && rhs_k < kK ? w[rhs_k * kN + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  if (column >= kN) return;

  y[row * kN + column] = maximum(sum + bias[column], 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* w, const float* bias, float* y, cudaStream_t stream) {
  return launch(conv3x3_bias_relu_conv3x3_bias_relu,
                {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads},
                stream, x, w, bias, y);
}

}  // namespace conv3x3_bias_relu_conv3x3_bias_relu_kernels::conv3x3_bias_relu_conv3x3_bias_relu
