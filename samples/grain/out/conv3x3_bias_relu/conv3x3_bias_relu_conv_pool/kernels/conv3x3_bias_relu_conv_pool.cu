// conv3x3_bias_relu_conv_pool: 2 computations, in one launch whose last block to finish goes on
// alone.
//
//   z   7 blocks     convolution over f32[2,7,7,8]
//   y   last block   reduce-window over f32[2,4,4,8]
//
// 7 blocks of 256 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace conv3x3_bias_relu_conv_pool_kernels::conv3x3_bias_relu_conv_pool {
namespace {

// z: convolution over f32[2,7,7,8].
//
//   in   x       f32[2,16,16,3]
//   in   w       f32[3,3,3,8]
//   out  z_out   f32[2,7,7,8]
//
//   z_out = convolution(x, w), window={size=3x3 stride=2x2 pad=0_-1x0_-1}
//
// 7 blocks of 256 threads, a tile of 16 x 16 each. Reads 6.8 kB, writes 3.1 kB.
namespace z {

constexpr int kM = 98;
constexpr int kN = 8;
constexpr int kK = 27;
constexpr int kTile = 16;
constexpr int kSteps = (kK + kTile - 1) / kTile;        // 2
constexpr int kRowTiles = (kM + kTile - 1) / kTile;     // 7
constexpr int kColumnTiles = (kN + kTile - 1) / kTile;  // 1
constexpr int kBlocks = kColumnTiles * kRowTiles;

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

// Not __restrict__: other parts of the launch read z_out.
__device__ void run(int block, const Conv3x3BiasReluConvPoolArrays::ZArrays& arrays) {
  const float* __restrict__ x = arrays.x;
  const float* __restrict__ w = arrays.w;
  float* z_out = arrays.z_out;
  const int block_x = block % kColumnTiles;
  const int block_y = block / kColumnTiles;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = block_y * kTile + ty;
  const int column = block_x * kTile + tx;

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

}  // namespace z

// y: reduce-window over f32[2,4,4,8].
//
//   in   z       f32[2,7,7,8]
//   out  y_out   f32[2,4,4,8]
//
//   y_out = reduce-window(z, -inf), window={size=1x2x2x1 stride=1x2x2x1 pad=0_0x0_1x0_1x0_0},
//           to_apply=maximum
//
// One block of 256 threads. Reads 3.1 kB, writes 1.0 kB.
namespace y {

constexpr int kI = 2;
constexpr int kJ = 4;
constexpr int kK = 4;
constexpr int kL = 8;
constexpr int kElements = kI * kJ * kK * kL;  // 256
constexpr int kThreads = 256;

static_assert(kElements == kThreads, "a thread of the one block has an element");

// No pointer is __restrict__: other parts of the launch write z.
__device__ void run(const Conv3x3BiasReluConvPoolArrays::YArrays& arrays) {
  const auto& [z, y_out] = arrays;
  const int element = threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  float y = -INFINITY;
  for (int k_1 = 0; k_1 < 2; ++k_1) {
    const int in_row = j * 2 + k_1;
    if (in_row >= 7) continue;
    for (int k_2 = 0; k_2 < 2; ++k_2) {
      const int in_column = k * 2 + k_2;
      if (in_column >= 7) continue;
      y = maximum(y, z[((i * 7 + in_row) * 7 + in_column) * kL + l]);
    }
  }

  y_out[element] = y;
}

}  // namespace y

constexpr int kThreads = 256;
constexpr int kBlocks = z::kBlocks;

__global__ void __launch_bounds__(kThreads)
conv3x3_bias_relu_conv_pool(const __grid_constant__ Conv3x3BiasReluConvPoolArrays arrays) {
  const int block = blockIdx.x;
  z::run(block, arrays.z);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  y::run(arrays.y);
}

}  // namespace

cudaError_t
enqueue(const Conv3x3BiasReluConvPoolArrays& arrays, cudaStream_t stream) {
  return launch(conv3x3_bias_relu_conv_pool, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace conv3x3_bias_relu_conv_pool_kernels::conv3x3_bias_relu_conv_pool
