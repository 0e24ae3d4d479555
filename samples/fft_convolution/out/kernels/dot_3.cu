// dot_3: dot over f32[1,1,16,2,32].
//
//   in   kernel     f32[256]
//   in   constant   f32[32,2,32]
//   out  dot        f32[1,1,16,2,32]
//
//   dot = dot(pad(kernel), constant)
//
// 4 blocks of 256 threads, a tile of 16 x 16 each. Reads 9.2 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace fft_convolution_kernels {
namespace {

constexpr int kM = 16;
constexpr int kN = 64;
constexpr int kK = 32;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 2
constexpr int kRowTiles = kM / kTile;     // 1
constexpr int kColumnTiles = kN / kTile;  // 4

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile + 1];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
dot_3(const float* __restrict__ kernel,
      const float* __restrict__ constant,
      float* __restrict__ dot) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  const int lhs_row = blockIdx.y * kTile + tx;

  // dot: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int tile_k = step * kTile + ty;
    shared.lhs[tx][ty] = tile_k * kM + lhs_row < 256 ? kernel[tile_k * kM + lhs_row] : 0.0f;
    shared.rhs[ty][tx] = constant[tile_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  dot[row * kN + column] = sum;
}

}  // namespace

cudaError_t
launch_dot_3(const float* kernel, const float* constant, float* dot, cudaStream_t stream) {
  return launch(dot_3, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                kernel, constant, dot);
}

}  // namespace fft_convolution_kernels
