// sum_1: reduce, compare, convert over s32[4,1].
//
//   in   tokens    s32[4,24]
//   out  sum_out   s32[4,1]
//
//   sum_out = reduce(s32(tokens != 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 384 B, writes 16 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace embedding_lookup_kernels {
namespace {

constexpr int kRows = 4;
constexpr int kColumns = 24;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
sum_1(const int* __restrict__ tokens, int* __restrict__ sum_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum
  int sum = 0;
  for (int column = lane; column < kColumns; column += kWarp) {
    sum += tokens[row * kColumns + column] != 0;
  }
  sum = warp_reduce(sum, Add());

  if (lane == 0) sum_out[row] = sum;
}

}  // namespace

cudaError_t
launch_sum_1(const int* tokens, int* sum_out, cudaStream_t stream) {
  return launch(sum_1, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream, tokens, sum_out);
}

}  // namespace embedding_lookup_kernels
