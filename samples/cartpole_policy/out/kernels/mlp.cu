// mlp: dot, tanh, add over f32[64,64].
//
//   in   params_0_b   f32[64]
//   in   params_1_w   f32[64,64]
//   in   params_1_b   f32[64]
//   in   dot          f32[64,64]
//   out  tanh_out     f32[64,64]
//
//   sum      = dot(tanh(dot + params_0_b), params_1_w)
//   tanh_out = tanh(sum + params_1_b)
//
// 16 blocks of 256 threads, a tile of 16 x 16 each. Reads 33.3 kB, writes 16.4 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace cartpole_policy_kernels {
namespace {

constexpr int kM = 64;
constexpr int kN = 64;
constexpr int kK = 64;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 4
constexpr int kRowTiles = kM / kTile;     // 4
constexpr int kColumnTiles = kN / kTile;  // 4

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
mlp(const float* __restrict__ params_0_b,
    const float* __restrict__ params_1_w,
    const float* __restrict__ params_1_b,
    const float* __restrict__ dot,
    float* __restrict__ tanh_out) {
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
    shared.lhs[ty][tx] = tanhf(dot[row * kK + lhs_k] + params_0_b[lhs_k]);
    shared.rhs[ty][tx] = params_1_w[rhs_k * 64 + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  tanh_out[row * kN + column] = tanhf(sum + params_1_b[column]);
}

}  // namespace

cudaError_t
launch_mlp(const float* params_0_b,
           const float* params_1_w,
           const float* params_1_b,
           const float* dot,
           float* tanh_out,
           cudaStream_t stream) {
  return launch(mlp, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_0_b, params_1_w, params_1_b, dot, tanh_out);
}

}  // namespace cartpole_policy_kernels
