// sum: compare, select, reduce over f32[8].
//
//   in   result   s32[400]
//   out  sum      f32[8]
//
//   scatter_add = compare(scatter_add, broadcast(result))
//   select      = select(scatter_add, 1, -0.0)
//   sum         = reduce(select, 0), dimensions={1}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 1.6 kB, writes 32 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace kmeans_kernels {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 400;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
sum(const int* __restrict__ result, float* __restrict__ sum_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum
  float sum_1 = 0.0f;
  for (int column = lane; column < kColumns; column += kWarp) {
    sum_1 += row == result[column] ? 1.0f : -0.0f;
  }
  sum_1 = warp_reduce(sum_1, Add());

  if (lane == 0) sum_out[row] = sum_1;
}

}  // namespace

cudaError_t
launch_sum(const int* result, float* sum_out, cudaStream_t stream) {
  return launch(sum, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream, result, sum_out);
}

}  // namespace kmeans_kernels
