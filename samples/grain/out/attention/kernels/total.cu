// total: reduce, exponential, divide, subtract, compare, ... over f32[2,4,16].
//
//   in   score         f32[2,4,16,16]
//   out  top_out       f32[2,4,16]
//   out  total_2_out   f32[2,4,16]
//
//   score_value = score / 3.4641016
//   top_1       = broadcast(iota(), {1}) <= broadcast(iota(), {0})
//   top_out     = reduce(select(top_1, score_value, -inf), -inf), dimensions={3}, to_apply=maximum
//   e           = select(top_1, exponential(score_value - broadcast(top_out, {0,1,2})), 0)
//   total_2_out = reduce(e, 0), dimensions={3}, to_apply=add
//
// 16 lanes of a warp a row, 8 rows a block of 128 threads. Reads 8.2 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace attention_kernels::total {
namespace {

constexpr int kRows = 128;
constexpr int kColumns = 16;
constexpr int kThreads = 128;
constexpr int kLanes = 16;  // of a warp, for each row
constexpr int kRowsPerBlock = kThreads / kLanes;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
total(const float* __restrict__ score,
      float* __restrict__ top_out,
      float* __restrict__ total_2_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kLanes;
  const int column = threadIdx.x % kLanes;

  // score_value, top
  const float score_value = score[row * kColumns + column] / 3.4641016f;
  float top = column <= row % 16 ? score_value : -INFINITY;
  top = warp_reduce<kLanes>(top, Maximum());

  // total_2
  float total_2 = 0.0f;
  total_2 += column <= row % 16 ? expf(score_value - top) : 0.0f;
  total_2 = warp_reduce<kLanes>(total_2, Add());

  if (column == 0) {
    top_out[row] = top;
    total_2_out[row] = total_2;
  }
}

}  // namespace

cudaError_t
enqueue(const float* score, float* top_out, float* total_2_out, cudaStream_t stream) {
  return launch(total, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                score, top_out, total_2_out);
}

}  // namespace attention_kernels::total
