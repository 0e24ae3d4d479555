// mixed: dot, exponential, divide, subtract, compare, ... over f32[2,4,16,12].
//
//   in   v           f32[2,4,16,12]
//   in   score       f32[2,4,16,16]
//   in   top         f32[2,4,16]
//   in   total_2     f32[2,4,16]
//   out  mixed_out   f32[2,4,16,12]
//
//   score_1   = score / 3.4641016
//   top_1     = broadcast(broadcast(iota(), {1}) <= broadcast(iota(), {0}))
//   e         = select(top_1, exponential(score_1 - broadcast(top, {0,1,2})), 0)
//   sum       = dot(e, v), einsum=abcd,abde->abce
//   mixed_out = sum / broadcast(total_2)
//
// 8 blocks of 256 threads, a tile of 16 x 16 each. Reads 15.4 kB, writes 6.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace attention_kernels::mixed {
namespace {

constexpr int kBatch = 8;
constexpr int kM = 16;
constexpr int kN = 12;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kRowTiles = kM / kTile;                   // 1
constexpr int kColumnTiles = (kN + kTile - 1) / kTile;  // 1

static_assert(kM % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
mixed(const float* __restrict__ v,
      const float* __restrict__ score,
      const float* __restrict__ top,
      const float* __restrict__ total_2,
      float* __restrict__ mixed_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int batch = blockIdx.z;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // mixed: a tile of each operand, zero outside
  float sum = 0.0f;
  const float score_1 = score[batch * 256 + row * kK + tx] / 3.4641016f;
  shared.lhs[ty][tx] = tx <= row ? expf(score_1 - top[batch * kM + row]) : 0.0f;
  shared.rhs[ty][tx] = column < kN ? v[batch * 192 + ty * kN + column] : 0.0f;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  if (column >= kN) return;

  mixed_out[batch * 192 + row * kN + column] = sum / total_2[batch * 16 + row];
}

}  // namespace

cudaError_t
enqueue(const float* v, const float* score, const float* top, const float* total_2,
        float* mixed_out, cudaStream_t stream) {
  return launch(mixed, {.grid = dim3(kColumnTiles, kRowTiles, kBatch), .block = kThreads}, stream,
                v, score, top, total_2, mixed_out);
}

}  // namespace attention_kernels::mixed
