// sum_1: compare, add, select, multiply, subtract, ... over f32[60].
//
//   in   receivers   s32[500]
//   in   dot         f32[500]
//   in   dot         f32[500]
//   in   max         f32[60]
//   out  sum         f32[60]
//
//   lt          = compare(receivers, 0)
//   add_1       = add(receivers, 60)
//   select_1    = select(lt, add_1, receivers)
//   add_2       = add(dot, dot)
//   ge          = compare(add_2, 0)
//   mul         = multiply(0.2, add_2)
//   select_2    = select(ge, add_2, mul)
//   scatter_max = compare(scatter_max, broadcast(receivers))
//   sub         = subtract(select_2, gather(max))
//   exponential = exponential(sub)
//   select_3    = select(scatter_max, broadcast(exponential), -0.0)
//   sum         = reduce(select_3, 0), dimensions={1}, to_apply=add
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
      float* __restrict__ sum) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum
  float sum_2 = 0.0f;
  for (int column = lane; column < kColumns; column += kWarp) {
    const float add = dot[column] + dot_1[column];
    const int receivers_value = receivers[column];
    const int select = receivers_value < 0 ? receivers_value + 60 : receivers_value;
    const int start = minimum(maximum(select, 0), 59);
    const float exponential = expf((add >= 0.0f ? add : 0.2f * add) - max[start]);
    sum_2 += row == receivers_value ? exponential : -0.0f;
  }
  sum_2 = warp_reduce(sum_2, Add());

  if (lane == 0) sum[row] = sum_2;
}

}  // namespace

cudaError_t
launch_sum_1(const int* receivers,
             const float* dot,
             const float* dot_1,
             const float* max,
             float* sum,
             cudaStream_t stream) {
  return launch(sum_1, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                receivers, dot, dot_1, max, sum);
}

}  // namespace graph_attention_kernels
