// block_3: dot, add over f32[2,16,48].
//
//   in   params_down_b   f32[48]
//   in   params_down_w   f32[192,48]
//   in   add_in          f32[2,16,48]
//   in   mul             f32[2,16,192]
//   out  add_out         f32[2,16,48]
//
//   sum     = dot(mul, params_down_w)
//   add_out = add_in + (sum + params_down_b)
//
// 6 blocks of 256 threads, a tile of 16 x 16 each. Reads 67.8 kB, writes 6.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace gpt2_block_kernels {
namespace {

constexpr int kM = 32;
constexpr int kN = 48;
constexpr int kK = 192;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 12
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 3

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
block_3(const float* __restrict__ params_down_b,
        const float* __restrict__ params_down_w,
        const float* __restrict__ add_in,
        const float* __restrict__ mul,
        float* __restrict__ add_out) {
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
    shared.lhs[ty][tx] = mul[row * kK + lhs_k];
    shared.rhs[ty][tx] = params_down_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  const int index = row * kN + column;

  add_out[index] = add_in[index] + (sum + params_down_b[column]);
}

}  // namespace

cudaError_t
launch_block_3(const float* params_down_b,
               const float* params_down_w,
               const float* add_in,
               const float* mul,
               float* add_out,
               cudaStream_t stream) {
  return launch(block_3, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_down_b, params_down_w, add_in, mul, add_out);
}

}  // namespace gpt2_block_kernels
