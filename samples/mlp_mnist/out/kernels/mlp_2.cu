// mlp_2: dot, add, maximum over f32[16,32].
//
//   in   params_1_b   f32[32]
//   in   params_1_w   f32[48,32]
//   in   x            f32[16,48]
//   out  x_2          f32[16,32]
//
//   sum = dot(x, params_1_w)
//   x_2 = maximum(sum + params_1_b, 0)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 9.3 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace mlp_mnist_kernels::mlp_2 {
namespace {

constexpr int kM = 16;
constexpr int kN = 32;
constexpr int kK = 48;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 3
constexpr int kRowTiles = kM / kTile;     // 1
constexpr int kColumnTiles = kN / kTile;  // 2

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
mlp_2(const float* __restrict__ params_1_b,
      const float* __restrict__ params_1_w,
      const float* __restrict__ x,
      float* __restrict__ x_2) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // x_w: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = x[row * kK + lhs_k];
    shared.rhs[ty][tx] = params_1_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  x_2[row * kN + column] = maximum(sum + params_1_b[column], 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* params_1_b, const float* params_1_w, const float* x, float* x_2,
        cudaStream_t stream) {
  return launch(mlp_2, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_1_b, params_1_w, x, x_2);
}

}  // namespace mlp_mnist_kernels::mlp_2
