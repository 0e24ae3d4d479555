// attention_3: dot, exponential, multiply, subtract, divide, ... over f32[2,4,12,16].
//
//   in   dense             f32[2,16,144]
//   in   unscaled_scores   f32[2,4,16,16]
//   in   scores_max        f32[2,4,16]
//   in   weight_sum        f32[2,4,16]
//   out  attention_3_out   f32[2,4,12,16]
//
//   dense_part      = reshape(dense[:,:,96:144], [2,16,4,12])
//   scores          = unscaled_scores * 0.28867513
//   scores_1        = select(broadcast(iota(), {0}) >= broadcast(iota(), {1}), scores, -1e+09)
//   weight          = exponential(scores_1 - broadcast(scores_max, {0,1,2}))
//   attention_3_out = dot(dense_part, weight / broadcast(weight_sum, {0,1,2})),
//                     einsum=abcd,aceb->acde
//
// 8 blocks of 256 threads, a tile of 16 x 16 each. Reads 15.4 kB, writes 6.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace gpt2_block_kernels::attention_3 {
namespace {

constexpr int kBatch = 8;
constexpr int kM = 12;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kRowTiles = (kM + kTile - 1) / kTile;  // 1
constexpr int kColumnTiles = kN / kTile;             // 1

static_assert(kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile + 1];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
attention_3(const float* __restrict__ dense,
            const float* __restrict__ unscaled_scores,
            const float* __restrict__ scores_max,
            const float* __restrict__ weight_sum,
            float* __restrict__ attention_3_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int batch = blockIdx.z;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  const int lhs_row = blockIdx.y * kTile + tx;

  // dot: a tile of each operand, zero outside
  float sum = 0.0f;
  shared.lhs[tx][ty] = 0.0f;
  if (lhs_row < kM) {
    shared.lhs[tx][ty] = dense[batch / 4 * 2304 + ty * 144 + batch % 4 * kM + lhs_row + 96];
  }
  const int index = batch * kN + column;
  const float scores = unscaled_scores[batch * 256 + column * kK + ty] * 0.28867513f;
  const float weight = expf((column >= ty ? scores : -1e9f) - scores_max[index]);
  shared.rhs[ty][tx] = weight / weight_sum[index];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  if (row >= kM) return;

  attention_3_out[batch * 192 + row * kN + column] = sum;
}

}  // namespace

cudaError_t
enqueue(const float* dense, const float* unscaled_scores, const float* scores_max,
        const float* weight_sum, float* attention_3_out, cudaStream_t stream) {
  return launch(attention_3,
                {.grid = dim3(kColumnTiles, kRowTiles, kBatch), .block = kThreads},
                stream, dense, unscaled_scores, scores_max, weight_sum, attention_3_out);
}

}  // namespace gpt2_block_kernels::attention_3
