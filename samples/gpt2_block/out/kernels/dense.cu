// dense: dot, reduce, rsqrt, divide, subtract, ... over f32[2,16,144].
//
//   in   params_attention_qkv_b   f32[144]
//   in   params_attention_qkv_w   f32[48,144]
//   in   params_norm1_bias        f32[48]
//   in   params_norm1_scale       f32[48]
//   in   x                        f32[2,16,48]
//   out  dense_out                f32[2,16,144]
//
//   x_sum        = reduce(x, 0), dimensions={2}, to_apply=add
//   deviation    = x - broadcast(x_sum / 48)
//   square_sum   = reduce(deviation * deviation, 0), dimensions={2}, to_apply=add
//   normalised   = deviation * broadcast(rsqrt(square_sum / 48 + 1e-05))
//   normalised_1 = normalised * params_norm1_scale + params_norm1_bias
//   sum          = dot(normalised_1, params_attention_qkv_w)
//   dense_out    = sum + params_attention_qkv_b
//
// 18 blocks of 256 threads, a tile of 16 x 16 each. Reads 34.8 kB, writes 18.4 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

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
constexpr int kTerms = 4;                 // neighbouring terms that a thread loads at once

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
  float mean[kTile];
  float inv_std[kTile];
};

__global__ void __launch_bounds__(kThreads)
dense(const float* __restrict__ params_attention_qkv_b,
      const float* __restrict__ params_attention_qkv_w,
      const float* __restrict__ params_norm1_bias,
      const float* __restrict__ params_norm1_scale,
      const float* __restrict__ x,
      float* __restrict__ dense_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // statistics of each row of the tile, which every block makes for itself: the same bits in each
  float x_sum = 0.0f;
  for (int first = tx * kTerms; first < kK; first += kTile * kTerms) {
    const Vector<float, kTerms> x_piece = load_vector<kTerms>(&x[row * kK + first]);
#pragma unroll
    for (int e = 0; e < kTerms; ++e) {
      const float x_value = x_piece[e];
      x_sum += x_value;
    }
  }
  x_sum = warp_reduce<kTile>(x_sum, Add());
  if (tx == 0) shared.mean[ty] = x_sum / Divisor(48.0f);
  __syncwarp();
  float square_sum = 0.0f;
  for (int first = tx * kTerms; first < kK; first += kTile * kTerms) {
    const Vector<float, kTerms> x_piece = load_vector<kTerms>(&x[row * kK + first]);
#pragma unroll
    for (int e = 0; e < kTerms; ++e) {
      const float x_value = x_piece[e];
      const float deviation = x_value - shared.mean[ty];
      square_sum += deviation * deviation;
    }
  }
  square_sum = warp_reduce<kTile>(square_sum, Add());
  if (tx == 0) shared.inv_std[ty] = rsqrtf(square_sum / UncheckedDivisor(48.0f) + 1e-5f);
  __syncthreads();

  // dot: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    const float normalised = (x[row * kK + lhs_k] - shared.mean[ty]) * shared.inv_std[ty];
    shared.lhs[ty][tx] = fmaf(normalised, params_norm1_scale[lhs_k], params_norm1_bias[lhs_k]);
    shared.rhs[ty][tx] = params_attention_qkv_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  dense_out[row * kN + column] = sum + params_attention_qkv_b[column];
}

}  // namespace

cudaError_t
enqueue(const float* params_attention_qkv_b, const float* params_attention_qkv_w,
        const float* params_norm1_bias, const float* params_norm1_scale, const float* x,
        float* dense_out, cudaStream_t stream) {
  return launch(dense, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_attention_qkv_b, params_attention_qkv_w, params_norm1_bias,
                params_norm1_scale, x, dense_out);
}

}  // namespace gpt2_block_kernels::dense
