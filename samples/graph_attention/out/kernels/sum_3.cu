// sum_3: reduce, add, compare, select over s32[60].
//
//   in   receivers   s32[500]
//   out  sum_out     s32[60]
//
//   scatter_add = iota({0}) == select(receivers < 0, receivers + 60, receivers)
//   sum_out     = reduce(select(scatter_add, 1, 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 2.0 kB, writes 240 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
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
sum_3(const int* __restrict__ receivers, int* __restrict__ sum_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum
  int sum = 0;
  for (int column = lane; column < kColumns; column += kWarp) {
    const int receivers_value = receivers[column];
    const bool scatter_add = row == (receivers_value < 0 ? receivers_value + 60 : receivers_value);
    sum += scatter_add ? 1 : 0;
  }
  sum = warp_reduce(sum, Add());

  if (lane == 0) sum_out[row] = sum;
}

}  // namespace

cudaError_t
launch_sum_3(const int* receivers, int* sum_out, cudaStream_t stream) {
  return launch(sum_3, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                receivers, sum_out);
}

}  // namespace graph_attention_kernels
