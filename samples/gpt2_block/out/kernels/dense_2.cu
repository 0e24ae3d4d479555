// dense_2: dot, add over f32[2,16,48].
//
//   in   params_attention_out_b   f32[48]
//   in   params_attention_out_w   f32[48,48]
//   in   x                        f32[2,16,48]
//   in   attention                f32[2,4,16,12]
//   out  x_2                      f32[2,16,48]
//
//   attention_transposed = reshape(transpose(transpose(attention, {0,1,3,2}), {0,3,1,2}),
//                          [2,16,48])
//   sum                  = dot(attention_transposed, params_attention_out_w)
//   x_2                  = x + (sum + params_attention_out_b)
//
// 6 blocks of 256 threads, a tile of 16 x 16 each. Reads 21.7 kB, writes 6.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace gpt2_block_kernels::dense_2 {
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
dense_2(const float* __restrict__ params_attention_out_b,
        const float* __restrict__ params_attention_out_w,
        const float* __restrict__ x,
        const float* __restrict__ attention,
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
    shared.lhs[ty][tx] = attention[row / 16 * 768 + lhs_k / 12 * 192 + row % 16 * 12 + lhs_k % 12];
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
        const float* attention, float* x_2, cudaStream_t stream) {
  return launch(dense_2, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_attention_out_b, params_attention_out_w, x, attention, x_2);
}

}  // namespace gpt2_block_kernels::dense_2
