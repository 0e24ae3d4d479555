// conv_5: convolution over f32[2,4,4,16].
//
//   in   params_blocks_3_conv1   f32[3,3,16,16]
//   in   max                     f32[2,4,4,16]
//   out  conv                    f32[2,4,4,16]
//
//   conv = convolution(max, params_blocks_3_conv1), window={size=3x3 pad=1_1x1_1}
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 11.3 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace resnet18_kernels {
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
conv_5(const float* __restrict__ params_blocks_3_conv1,
       const float* __restrict__ max,
       float* __restrict__ conv) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // conv: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    const int in_row = lhs_k / 48 + row / 4 % 4 - 1;
    const int in_column = lhs_k / 16 % 3 + row % 4 - 1;
    shared.lhs[ty][tx] = in_row >= 0 && in_row < 4 && in_column >= 0 && in_column < 4
                             ? max[row / 16 * 256 + in_row * 64 + in_column * 16 + lhs_k % 16]
                             : 0.0f;
    shared.rhs[ty][tx] = params_blocks_3_conv1[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  conv[row * kN + column] = sum;
}

}  // namespace

cudaError_t
launch_conv_5(const float* params_blocks_3_conv1,
              const float* max,
              float* conv,
              cudaStream_t stream) {
  return launch(conv_5, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_blocks_3_conv1, max, conv);
}

}  // namespace resnet18_kernels
