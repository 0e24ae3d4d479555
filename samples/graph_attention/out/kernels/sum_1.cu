// sum_1: reduce, gather, exponential, add, multiply, ... over f32[60].
//
//   in   receivers   s32[500]
//   in   dot         f32[500]
//   in   dot_1       f32[500]
//   in   max         f32[60]
//   out  sum_out     f32[60]
//
//   select      = select(receivers < 0, receivers + 60, receivers)
//   add         = dot + dot_1
//   start       = clamp(0, select, 59)
//   exponential = exponential(select(add >= 0, add, 0.2 * add) - gather(max, start))
//   sum_out     = reduce(select(iota({0}) == receivers, exponential, -0.0), 0), dimensions={1},
//                 to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 6.2 kB, writes 240 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kRows = 60;
constexpr int kColumns = 500;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
sum_1(const int* __restrict__ receivers,
      const float* __restrict__ dot,
      const float* __restrict__ dot_1,
      const float* __restrict__ max,
      float* __restrict__ sum_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum
  float sum = 0.0f;
  for (int column = lane; column < kColumns; column += kWarp) {
    const float add = dot[column] + dot_1[column];
    const int receivers_value = receivers[column];
    const int select = receivers_value < 0 ? receivers_value + 60 : receivers_value;
    const int start = minimum(maximum(select, 0), 59);
    const float exponential = expf((add >= 0.0f ? add : 0.2f * add) - max[start]);
    sum += row == receivers_value ? exponential : -0.0f;
  }
  sum = warp_reduce(sum, Add());

  if (lane == 0) sum_out[row] = sum;
}

}  // namespace

cudaError_t
launch_sum_1(const int* receivers,
             const float* dot,
             const float* dot_1,
             const float* max,
             float* sum_out,
             cudaStream_t stream) {
  return launch(sum_1, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                receivers, dot, dot_1, max, sum_out);
}

}  // namespace graph_attention_kernels
