// max_1: reduce, add, multiply, compare, select over f32[60].
//
//   in   receivers   s32[500]
//   in   dot         f32[500]
//   in   dot_1       f32[500]
//   out  max_out     f32[60]
//
//   add     = dot + dot_1
//   select  = select(iota({0}) == receivers, select(add >= 0, add, 0.2 * add), -inf)
//   max_out = reduce(select, -inf), dimensions={1}, to_apply=maximum
//
// A row a warp, 4 rows a block of 128 threads. Reads 6.0 kB, writes 240 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace graph_attention_kernels::max_1 {
namespace {

constexpr int kRows = 60;
constexpr int kColumns = 500;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
max_1(const int* __restrict__ receivers,
      const float* __restrict__ dot,
      const float* __restrict__ dot_1,
      float* __restrict__ max_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // max
  float max = -INFINITY;
  for (int column = lane; column < kColumns; column += kWarp) {
    const float add = dot[column] + dot_1[column];
    max = maximum(max, row == receivers[column] ? (add >= 0.0f ? add : 0.2f * add) : -INFINITY);
  }
  max = warp_reduce(max, Maximum());

  if (lane == 0) max_out[row] = max;
}

}  // namespace

cudaError_t
enqueue(const int* receivers,
        const float* dot,
        const float* dot_1,
        float* max_out,
        cudaStream_t stream) {
  return launch(max_1, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                receivers, dot, dot_1, max_out);
}

}  // namespace graph_attention_kernels::max_1
