// mlp_6: dot, subtract, multiply, add over f32[32,16].
//
//   in   params_policy_1_w   f32[16,16]
//   in   mlp_5               f32[32,16]
//   in   x_2                 f32[32,16]
//   out  mlp_6_out           f32[32,16]
//
//   sum       = dot(mlp_5, params_policy_1_w), einsum=ab,cb->ac
//   product   = sum * (1 - x_2)
//   mlp_6_out = product + product * x_2
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 5.1 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::mlp_6 {
namespace {

constexpr int kM = 32;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 1

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile + 1];
};

__global__ void __launch_bounds__(kThreads)
mlp_6(const float* __restrict__ params_policy_1_w,
      const float* __restrict__ mlp_5,
      const float* __restrict__ x_2,
      float* __restrict__ mlp_6_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  const int rhs_column = blockIdx.x * kTile + ty;

  // dot: a tile of each operand
  float sum = 0.0f;
  shared.lhs[ty][tx] = mlp_5[row * kK + tx];
  shared.rhs[tx][ty] = params_policy_1_w[rhs_column * kK + tx];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  const int index = row * kN + column;
  const float x_2_value = x_2[index];
  const float product = sum * (1.0f - x_2_value);

  mlp_6_out[index] = fmaf(product, x_2_value, product);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_1_w, const float* mlp_5, const float* x_2, float* mlp_6_out,
        cudaStream_t stream) {
  return launch(mlp_6, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_policy_1_w, mlp_5, x_2, mlp_6_out);
}

}  // namespace ppo_update_kernels::mlp_6
