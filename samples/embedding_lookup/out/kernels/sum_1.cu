// sum_1: 2 computations, in one launch that divides its blocks among them.
//
//   sum   4 blocks    reduce, compare, convert over s32[4,1]
//   x     96 blocks   gather, add, multiply, compare, select, ... over f32[4,24,32]
//
// 100 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace embedding_lookup_kernels::sum_1 {
namespace {

// sum: reduce, compare, convert over s32[4,1].
//
//   in   tokens    s32[4,24]
//   out  sum_out   s32[4,1]
//
//   sum_out = reduce(s32(tokens != 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, one row a block of 32 threads. Reads 384 B, writes 16 B.
namespace sum {

constexpr int kRows = 4;
constexpr int kColumns = 24;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const Sum1Arrays::SumArrays& arrays) {
  const int* __restrict__ tokens = arrays.tokens;
  int* __restrict__ sum_out = arrays.sum_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int column = threadIdx.x % kWarp;

  // sum_1
  int sum_1 = 0;
  if (column < kColumns) sum_1 += tokens[row * kColumns + column] != 0;
  sum_1 = warp_reduce(sum_1, Add());

  if (column == 0) sum_out[row] = sum_1;
}

}  // namespace sum

// x: gather, add, multiply, compare, select, ... over f32[4,24,32].
//
//   in   table       f32[200,32]
//   in   positions   f32[48,32]
//   in   segments    f32[2,32]
//   in   tokens      s32[4,24]
//   in   segment     s32[4,24]
//   out  x_out       f32[4,24,32]
//
//   select_1         = select(tokens < 0, tokens + 200, tokens)
//   start_1          = clamp(0, select_1, 199)
//   add              = gather(table, start_1) * 5.656854 + positions[0:24,:]
//   select_2         = select(segment < 0, segment + 2, segment)
//   broadcast_in_dim = broadcast(select_2 >= 0 and select_2 <= 1)
//   start_2          = clamp(0, select_2, 1)
//   select_3         = select(broadcast_in_dim, gather(segments, start_2), nan)
//   x_out            = add + select_3
//
// 96 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.
namespace x {

constexpr int kElements = 3072;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const Sum1Arrays::XArrays& arrays) {
  const float* __restrict__ table = arrays.table;
  const float* __restrict__ positions = arrays.positions;
  const float* __restrict__ segments = arrays.segments;
  const int* __restrict__ tokens = arrays.tokens;
  const int* __restrict__ segment = arrays.segment;
  float* __restrict__ x_out = arrays.x_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / 768;
  const int j = element / 32 % 24;
  const int k = element % 32;

  const int index = i * 24 + j;
  const int tokens_value = tokens[index];
  const int select_1 = tokens_value < 0 ? tokens_value + 200 : tokens_value;
  const int start_1 = minimum(maximum(select_1, 0), 199);
  const float add = fmaf(table[start_1 * 32 + k], 5.656854f, positions[j * 32 + k]);
  const int segment_value = segment[index];
  const int select_2 = segment_value < 0 ? segment_value + 2 : segment_value;
  const int start_2 = minimum(maximum(select_2, 0), 1);
  const float select_3 = select_2 >= 0 && select_2 <= 1 ? segments[start_2 * 32 + k] : NAN;

  x_out[element] = add + select_3;
}

}  // namespace x

constexpr int kThreads = 32;
constexpr int kBlocks = sum::kBlocks + x::kBlocks;

__global__ void __launch_bounds__(kThreads)
sum_1(const __grid_constant__ Sum1Arrays arrays) {
  int block = blockIdx.x;
  if (block < sum::kBlocks) {
    sum::run(block, arrays.sum);
    return;
  }
  block -= sum::kBlocks;
  x::run(block, arrays.x);
}

}  // namespace

cudaError_t
enqueue(const Sum1Arrays& arrays, cudaStream_t stream) {
  return launch(sum_1, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace embedding_lookup_kernels::sum_1
