// count: reduce, compare, select over f32[8].
//
//   in   cluster     s32[400]
//   out  count_out   f32[8]
//
//   count_out = reduce(select(iota({0}) == cluster, 1, 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 1.6 kB, writes 32 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace kmeans_kernels::count {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 400;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
count(const int* __restrict__ cluster, float* __restrict__ count_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // count
  float count = 0.0f;
  for (int column = lane; column < kColumns; column += kWarp) {
    count += row == cluster[column] ? 1.0f : 0.0f;
  }
  count = warp_reduce(count, Add());

  if (lane == 0) count_out[row] = count;
}

}  // namespace

cudaError_t
enqueue(const int* cluster, float* count_out, cudaStream_t stream) {
  return launch(count, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                cluster, count_out);
}

}  // namespace kmeans_kernels::count
