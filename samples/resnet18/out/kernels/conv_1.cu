// conv_1: convolution over f32[2,8,8,8].
//
//   in   params_blocks_0_conv1   f32[3,3,8,8]
//   in   max                     f32[2,8,8,8]
//   out  conv                    f32[2,8,8,8]
//
//   conv = convolution(max, params_blocks_0_conv1), window={size=3x3 pad=1_1x1_1}
//
// 8 blocks of 256 threads, a tile of 16 x 16 each. Reads 6.4 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace resnet18_kernels {
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
conv_1(const float* __restrict__ params_blocks_0_conv1,
       const float* __restrict__ max,
       float* __restrict__ conv) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // conv: operands a tile at a time, zero outside
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = 0.0f;
    if (lhs_k < kK) {
      const int in_row = lhs_k / 24 + row / 8 % 8 - 1;
      const int in_column = lhs_k / 8 % 3 + row % 8 - 1;
      shared.lhs[ty][tx] = in_row >= 0 && in_row < 8 && in_column >= 0 && in_column < 8
                               ? max[row / 64 * 512 + in_row * 64 + in_column * 8 + lhs_k % 8]
                               : 0.0f;
    }
    shared.rhs[ty][tx] =
        column < kN && rhs_k < kK ? params_blocks_0_conv1[rhs_k * kN + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  if (column >= kN) return;

  conv[row * kN + column] = sum;
}

}  // namespace

cudaError_t
launch_conv_1(const float* params_blocks_0_conv1,
              const float* max,
              float* conv,
              cudaStream_t stream) {
  return launch(conv_1, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_blocks_0_conv1, max, conv);
}

}  // namespace resnet18_kernels
