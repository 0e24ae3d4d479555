// dense_3: dot, tanh, add, multiply over f32[2,16,192].
//
//   in   params_up_b   f32[192]
//   in   params_up_w   f32[48,192]
//   in   normalised    f32[2,16,48]
//   out  gelu          f32[2,16,192]
//
//   sum   = dot(normalised, params_up_w)
//   dense = sum + params_up_b
//   sum_1 = tanh((dense + dense * dense * dense * 0.044715) * 0.7978846) + 1
//   gelu  = dense * (sum_1 * 0.5)
//
// 24 blocks of 256 threads, a tile of 16 x 16 each. Reads 43.8 kB, writes 24.6 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace gpt2_block_kernels::dense_3 {
namespace {

constexpr int kM = 32;
constexpr int kN = 192;
constexpr int kK = 48;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 3
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 12

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
dense_3(const float* __restrict__ params_up_b,
        const float* __restrict__ params_up_w,
        const float* __restrict__ normalised,
        float* __restrict__ gelu) {
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
    shared.lhs[ty][tx] = normalised[row * kK + lhs_k];
    shared.rhs[ty][tx] = params_up_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  const float dense = sum + params_up_b[column];

  // block
  const float sum_1 = tanhf(fmaf(dense * dense * dense, 0.044715f, dense) * 0.7978846f) + 1.0f;

  gelu[row * kN + column] = dense * (sum_1 * 0.5f);
}

}  // namespace

cudaError_t
enqueue(const float* params_up_b, const float* params_up_w, const float* normalised, float* gelu,
        cudaStream_t stream) {
  return launch(dense_3, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_up_b, params_up_w, normalised, gelu);
}

}  // namespace gpt2_block_kernels::dense_3
