// dot_2: dot, exponential-minus-one, compare, select over f32[60,16].
//
//   in   weights     f32[2,16,16]
//   in   sums        f32[60,16]
//   out  dot_2_out   f32[60,16]
//
//   dot_2_out = dot(select(sums > 0, sums, exponential-minus-one(sums)), weights[1,:,:])
//
// 4 blocks of 256 threads, a tile of 16 x 16 each. Reads 4.9 kB, writes 3.8 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace graph_attention_kernels::dot_2 {
namespace {

constexpr int kM = 60;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kRowTiles = (kM + kTile - 1) / kTile;  // 4
constexpr int kColumnTiles = kN / kTile;             // 1

static_assert(kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
dot_2(const float* __restrict__ weights,
      const float* __restrict__ sums,
      float* __restrict__ dot_2_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // dot: a tile of each operand, zero outside
  float sum = 0.0f;
  shared.lhs[ty][tx] = 0.0f;
  if (row < kM) {
    const float sums_value = sums[row * kK + tx];
    shared.lhs[ty][tx] = sums_value > 0.0f ? sums_value : expm1f(sums_value);
  }
  shared.rhs[ty][tx] = weights[(ty + 16) * kN + column];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  if (row >= kM) return;

  dot_2_out[row * kN + column] = sum;
}

}  // namespace

cudaError_t
enqueue(const float* weights, const float* sums, float* dot_2_out, cudaStream_t stream) {
  return launch(dot_2, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                weights, sums, dot_2_out);
}

}  // namespace graph_attention_kernels::dot_2
