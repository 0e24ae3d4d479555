// mlp: dot, tanh, add over f32[17,8,16].
//
//   in   params_value_0_b   f32[16]
//   in   params_value_1_b   f32[16]
//   in   params_value_1_w   f32[16,16]
//   in   observations_w     f32[17,8,16]
//   out  x                  f32[17,8,16]
//
//   sum = dot(tanh(observations_w + params_value_0_b), params_value_1_w)
//   x   = tanh(sum + params_value_1_b)
//
// 9 blocks of 256 threads, a tile of 16 x 16 each. Reads 9.9 kB, writes 8.7 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::mlp {
namespace {

constexpr int kM = 136;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kRowTiles = (kM + kTile - 1) / kTile;  // 9
constexpr int kColumnTiles = kN / kTile;             // 1

static_assert(kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
mlp(const float* __restrict__ params_value_0_b,
    const float* __restrict__ params_value_1_b,
    const float* __restrict__ params_value_1_w,
    const float* __restrict__ observations_w,
    float* __restrict__ x) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // x_w: a tile of each operand, zero outside
  float sum = 0.0f;
  shared.lhs[ty][tx] = 0.0f;
  if (row < kM) shared.lhs[ty][tx] = tanhf(observations_w[row * kK + tx] + params_value_0_b[tx]);
  shared.rhs[ty][tx] = params_value_1_w[ty * kN + column];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  if (row >= kM) return;

  x[row * kN + column] = tanhf(sum + params_value_1_b[column]);
}

}  // namespace

cudaError_t
enqueue(const float* params_value_0_b, const float* params_value_1_b, const float* params_value_1_w,
        const float* observations_w, float* x, cudaStream_t stream) {
  return launch(mlp, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_value_0_b, params_value_1_b, params_value_1_w, observations_w, x);
}

}  // namespace ppo_update_kernels::mlp
