// block: dot, add over f32[2,16,48].
//
//   in   params_attention_out_b   f32[48]
//   in   params_attention_out_w   f32[48,48]
//   in   x                        f32[2,16,48]
//   in   attention_3              f32[2,4,12,16]
//   out  x_2                      f32[2,16,48]
//
//   attention_3_transposed = reshape(transpose(attention_3, {0,3,1,2}), [2,16,48])
//   sum                    = dot(attention_3_transposed, params_attention_out_w)
//   x_2                    = x + (sum + params_attention_out_b)
//
// 6 blocks of 256 threads, a tile of 16 x 16 each. Reads 21.7 kB, writes 6.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace gpt2_block_kernels::block {
namespace {

constexpr int kM = 32;
constexpr int kN = 48;
constexpr int kK = 48;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 3
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 3

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
block(const float* __restrict__ params_attention_out_b,
      const float* __restrict__ params_attention_out_w,
      const float* __restrict__ x,
      const float* __restrict__ attention_3,
      float* __restrict__ x_2) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // x_term: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = attention_3[row / 16 * 768 + lhs_k * 16 + row % 16];
    shared.rhs[ty][tx] = params_attention_out_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  const int index = row * kN + column;

  x_2[index] = x[index] + (sum + params_attention_out_b[column]);
}

}  // namespace

cudaError_t
enqueue(const float* params_attention_out_b, const float* params_attention_out_w, const float* x,
        const float* attention_3, float* x_2, cudaStream_t stream) {
  return launch(block, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_attention_out_b, params_attention_out_w, x, attention_3, x_2);
}

}  // namespace gpt2_block_kernels::block
