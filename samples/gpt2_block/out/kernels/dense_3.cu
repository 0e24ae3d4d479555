// dense_3: dot, reduce, rsqrt, tanh, divide, ... over f32[2,16,192].
//
//   in   params_norm2_bias    f32[48]
//   in   params_norm2_scale   f32[48]
//   in   params_up_b          f32[192]
//   in   params_up_w          f32[48,192]
//   in   x_2                  f32[2,16,48]
//   out  gelu                 f32[2,16,192]
//
//   x_sum      = reduce(x_2, 0), dimensions={2}, to_apply=add
//   deviation  = x_2 - broadcast(x_sum / 48)
//   square_sum = reduce(deviation * deviation, 0), dimensions={2}, to_apply=add
//   normalised = deviation * broadcast(rsqrt(square_sum / 48 + 1e-05))
//   sum        = dot(normalised * params_norm2_scale + params_norm2_bias, params_up_w)
//   dense      = sum + params_up_b
//   sum_1      = tanh((dense + dense * dense * dense * 0.044715) * 0.7978846) + 1
//   gelu       = dense * (sum_1 * 0.5)
//
// 24 blocks of 256 threads, a tile of 16 x 16 each. Reads 44.2 kB, writes 24.6 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

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
constexpr int kTerms = 4;                 // neighbouring terms that a thread loads at once

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
  float mean[kTile];
  float inv_std[kTile];
};

__global__ void __launch_bounds__(kThreads)
dense_3(const float* __restrict__ params_norm2_bias,
        const float* __restrict__ params_norm2_scale,
        const float* __restrict__ params_up_b,
        const float* __restrict__ params_up_w,
        const float* __restrict__ x_2,
        float* __restrict__ gelu) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // statistics of each row of the tile, which every block makes for itself: the same bits in each
  float x_sum = 0.0f;
  for (int first = tx * kTerms; first < kK; first += kTile * kTerms) {
    const Vector<float, kTerms> x_2_piece = load_vector<kTerms>(&x_2[row * kK + first]);
#pragma unroll
    for (int e = 0; e < kTerms; ++e) {
      const float x_2_value = x_2_piece[e];
      x_sum += x_2_value;
    }
  }
  x_sum = warp_reduce<kTile>(x_sum, Add());
  if (tx == 0) shared.mean[ty] = x_sum / Divisor(48.0f);
  __syncwarp();
  float square_sum = 0.0f;
  for (int first = tx * kTerms; first < kK; first += kTile * kTerms) {
    const Vector<float, kTerms> x_2_piece = load_vector<kTerms>(&x_2[row * kK + first]);
#pragma unroll
    for (int e = 0; e < kTerms; ++e) {
      const float x_2_value = x_2_piece[e];
      const float deviation = x_2_value - shared.mean[ty];
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
    const float normalised = (x_2[row * kK + lhs_k] - shared.mean[ty]) * shared.inv_std[ty];
    shared.lhs[ty][tx] = fmaf(normalised, params_norm2_scale[lhs_k], params_norm2_bias[lhs_k]);
    shared.rhs[ty][tx] = params_up_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  const float dense = sum + params_up_b[column];

  const float sum_1 = tanhf(fmaf(dense * dense * dense, 0.044715f, dense) * 0.7978846f) + 1.0f;

  gelu[row * kN + column] = dense * (sum_1 * 0.5f);
}

}  // namespace

cudaError_t
enqueue(const float* params_norm2_bias, const float* params_norm2_scale, const float* params_up_b,
        const float* params_up_w, const float* x_2, float* gelu, cudaStream_t stream) {
  return launch(dense_3, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_norm2_bias, params_norm2_scale, params_up_b, params_up_w, x_2, gelu);
}

}  // namespace gpt2_block_kernels::dense_3
