// dense: dot, rsqrt, divide, subtract, add, ... over f32[2,16,144].
//
//   in   params_attention_qkv_b   f32[144]
//   in   params_attention_qkv_w   f32[48,144]
//   in   params_norm1_bias        f32[48]
//   in   params_norm1_scale       f32[48]
//   in   x                        f32[2,16,48]
//   in   sum                      f32[2,16]
//   in   sum_1                    f32[2,16]
//   out  add                      f32[2,16,144]
//
//   rsqrt_value = rsqrt(sum_1 / 48 + 1e-05)
//   mul         = (x - broadcast(sum / 48)) * broadcast(rsqrt_value)
//   sum_2       = dot(mul * params_norm1_scale + params_norm1_bias, params_attention_qkv_w)
//   add         = sum_2 + params_attention_qkv_b
//
// 18 blocks of 256 threads, a tile of 16 x 16 each. Reads 35.0 kB, writes 18.4 kB.

#include "kernels.h"

#include "device/divisor.cuh"
#include "device/launch.cuh"

namespace gpt2_block_kernels::dense {
namespace {

constexpr int kM = 32;
constexpr int kN = 144;
constexpr int kK = 48;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 3
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 9

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
dense(const float* __restrict__ params_attention_qkv_b,
      const float* __restrict__ params_attention_qkv_w,
      const float* __restrict__ params_norm1_bias,
      const float* __restrict__ params_norm1_scale,
      const float* __restrict__ x,
      const float* __restrict__ sum,
      const float* __restrict__ sum_1,
      float* __restrict__ add) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // dot: operands a tile at a time
  float sum_2 = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    const float rsqrt_value = rsqrtf(sum_1[row] / UncheckedDivisor(48.0f) + 1e-5f);
    const float mul = (x[row * kK + lhs_k] - sum[row] / Divisor(48.0f)) * rsqrt_value;
    shared.lhs[ty][tx] = fmaf(mul, params_norm1_scale[lhs_k], params_norm1_bias[lhs_k]);
    shared.rhs[ty][tx] = params_attention_qkv_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum_2 = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum_2);
    __syncthreads();
  }

  add[row * kN + column] = sum_2 + params_attention_qkv_b[column];
}

}  // namespace

cudaError_t
enqueue(const float* params_attention_qkv_b,
        const float* params_attention_qkv_w,
        const float* params_norm1_bias,
        const float* params_norm1_scale,
        const float* x,
        const float* sum,
        const float* sum_1,
        float* add,
        cudaStream_t stream) {
  return launch(dense, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_attention_qkv_b, params_attention_qkv_w, params_norm1_bias,
                params_norm1_scale, x, sum, sum_1, add);
}

}  // namespace gpt2_block_kernels::dense
