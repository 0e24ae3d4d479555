// dot_1: dot over f32[4,1,16,2,32].
//
//   in   signal     f32[4,256]
//   in   constant   f32[32,2,32]
//   out  dot        f32[4,1,16,2,32]
//
//   dot = dot(pad(signal), constant)
//
// 16 blocks of 256 threads, a tile of 16 x 16 each. Reads 12.3 kB, writes 16.4 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace fft_convolution_kernels {
namespace {

constexpr int kM = 64;
constexpr int kN = 64;
constexpr int kK = 32;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 2
constexpr int kRowTiles = kM / kTile;     // 4
constexpr int kColumnTiles = kN / kTile;  // 4

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
dot_1(const float* __restrict__ signal,
      const float* __restrict__ constant,
      float* __restrict__ dot) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // dot: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] =
        lhs_k * 16 + row % 16 < 256 ? signal[row / 16 * 256 + lhs_k * 16 + row % 16] : 0.0f;
    shared.rhs[ty][tx] = constant[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  dot[row * kN + column] = sum;
}

}  // namespace

cudaError_t
launch_dot_1(const float* signal, const float* constant, float* dot, cudaStream_t stream) {
  return launch(dot_1, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                signal, constant, dot);
}

}  // namespace fft_convolution_kernels
