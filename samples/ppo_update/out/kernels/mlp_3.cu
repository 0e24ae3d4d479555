// mlp_3: dot, tanh, add over f32[32,16].
//
//   in   params_1_b   f32[16]
//   in   params_1_w   f32[16,16]
//   in   x_in         f32[32,16]
//   out  x_out        f32[32,16]
//
//   sum   = dot(x_in, params_1_w)
//   x_out = tanh(sum + params_1_b)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 3.1 kB, writes 2.0 kB.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::mlp_3 {
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
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
mlp_3(const float* __restrict__ params_1_b,
      const float* __restrict__ params_1_w,
      const float* __restrict__ x_in,
      float* __restrict__ x_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // x_part: a tile of each operand
  float sum = 0.0f;
  shared.lhs[ty][tx] = x_in[row * kK + tx];
  shared.rhs[ty][tx] = params_1_w[ty * kN + column];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  x_out[row * kN + column] = tanhf(sum + params_1_b[column]);
}

}  // namespace

cudaError_t
enqueue(const float* params_1_b, const float* params_1_w, const float* x_in, float* x_out,
        cudaStream_t stream) {
  return launch(mlp_3, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_1_b, params_1_w, x_in, x_out);
}

}  // namespace ppo_update_kernels::mlp_3
