// attention_2: reduce, exponential, multiply, subtract, compare, ... over f32[2,4,16].
//
//   in   unscaled_scores   f32[2,4,16,16]
//   out  scores_max_out    f32[2,4,16]
//   out  weight_sum_out    f32[2,4,16]
//
//   mask           = broadcast(broadcast(iota(), {0}) >= broadcast(iota(), {1}))
//   scores         = select(mask, unscaled_scores * 0.28867513, -1e+09)
//   scores_max_out = reduce(scores, -inf), dimensions={3}, to_apply=maximum
//   weight_sum_out = reduce(exponential(scores - broadcast(scores_max_out, {0,1,2})), 0),
//                    dimensions={3}, to_apply=add
//
// 16 lanes of a warp a row, 8 rows a block of 128 threads. Reads 8.2 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace gpt2_block_kernels::attention_2 {
namespace {

constexpr int kRows = 128;
constexpr int kColumns = 16;
constexpr int kThreads = 128;
constexpr int kLanes = 16;  // of a warp, for each row
constexpr int kRowsPerBlock = kThreads / kLanes;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
attention_2(const float* __restrict__ unscaled_scores,
            float* __restrict__ scores_max_out,
            float* __restrict__ weight_sum_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kLanes;
  const int column = threadIdx.x % kLanes;

  // scores_max
  const float unscaled_scores_value = unscaled_scores[row * kColumns + column];
  float scores_max = row % 16 >= column ? unscaled_scores_value * 0.28867513f : -1e9f;
  scores_max = warp_reduce<kLanes>(scores_max, Maximum());

  // weight_sum
  float weight_sum = 0.0f;
  const float scores = row % 16 >= column ? unscaled_scores_value * 0.28867513f : -1e9f;
  weight_sum += expf(scores - scores_max);
  weight_sum = warp_reduce<kLanes>(weight_sum, Add());

  if (column == 0) {
    scores_max_out[row] = scores_max;
    weight_sum_out[row] = weight_sum;
  }
}

}  // namespace

cudaError_t
enqueue(const float* unscaled_scores, float* scores_max_out, float* weight_sum_out,
        cudaStream_t stream) {
  return launch(attention_2, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                unscaled_scores, scores_max_out, weight_sum_out);
}

}  // namespace gpt2_block_kernels::attention_2
