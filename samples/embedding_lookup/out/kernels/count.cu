// count: 2 computations, in one launch that divides its blocks among them.
//
//   count_2   4 blocks    reduce, compare, convert over s32[4,1]
//   x         96 blocks   gather, multiply, add, compare, select, ... over f32[4,24,32]
//
// 100 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace embedding_lookup_kernels::count {
namespace {

// count_2: reduce, compare, convert over s32[4,1].
//
//   in   tokens        s32[4,24]
//   out  count_2_out   s32[4,1]
//
//   count_2_out = reduce(s32(tokens != 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, one row a block of 32 threads. Reads 384 B, writes 16 B.
namespace count_2 {

constexpr int kRows = 4;
constexpr int kColumns = 24;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const CountArrays::Count2Arrays& arrays) {
  const int* __restrict__ tokens = arrays.tokens;
  int* __restrict__ count_2_out = arrays.count_2_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int column = threadIdx.x % kWarp;

  // count_2
  int count_2 = 0;
  if (column < kColumns) count_2 += tokens[row * kColumns + column] != 0;
  count_2 = warp_reduce(count_2, Add());

  if (column == 0) count_2_out[row] = count_2;
}

}  // namespace count_2

// x: gather, multiply, add, compare, select, ... over f32[4,24,32].
//
//   in   table       f32[200,32]
//   in   positions   f32[48,32]
//   in   segments    f32[2,32]
//   in   tokens      s32[4,24]
//   in   segment     s32[4,24]
//   out  x_out       f32[4,24,32]
//
//   wrapped_tokens  = select(tokens < 0, tokens + 200, tokens)
//   start_1         = clamp(0, wrapped_tokens, 199)
//   x_term          = gather(table, start_1) * 5.656854 + positions[0:24,:]
//   wrapped_segment = select(segment < 0, segment + 2, segment)
//   both            = wrapped_segment >= 0 and wrapped_segment <= 1
//   start_2         = clamp(0, wrapped_segment, 1)
//   x_out           = x_term + select(broadcast(both), gather(segments, start_2), nan)
//
// 96 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.
namespace x {

constexpr int kI = 4;
constexpr int kJ = 24;
constexpr int kK = 32;
constexpr int kElements = kI * kJ * kK;  // 3072
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const CountArrays::XArrays& arrays) {
  const float* __restrict__ table = arrays.table;
  const float* __restrict__ positions = arrays.positions;
  const float* __restrict__ segments = arrays.segments;
  const int* __restrict__ tokens = arrays.tokens;
  const int* __restrict__ segment = arrays.segment;
  float* __restrict__ x_out = arrays.x_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const int index = i * kJ + j;
  const int tokens_value = tokens[index];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 200 : tokens_value;
  const int start_1 = minimum(maximum(wrapped_tokens, 0), 199);
  const float x_term = fmaf(table[start_1 * kK + k], 5.656854f, positions[j * kK + k]);
  const int segment_value = segment[index];
  const int wrapped_segment = segment_value < 0 ? segment_value + 2 : segment_value;
  const bool both = wrapped_segment >= 0 && wrapped_segment <= 1;
  const int start_2 = minimum(maximum(wrapped_segment, 0), 1);

  x_out[element] = x_term + (both ? segments[start_2 * kK + k] : NAN);
}

}  // namespace x

constexpr int kThreads = 32;
constexpr int kBlocks = count_2::kBlocks + x::kBlocks;

__global__ void __launch_bounds__(kThreads)
count(const __grid_constant__ CountArrays arrays) {
  int block = blockIdx.x;
  if (block < count_2::kBlocks) {
    count_2::run(block, arrays.count_2);
    return;
  }
  block -= count_2::kBlocks;
  x::run(block, arrays.x);
}

}  // namespace

cudaError_t
enqueue(const CountArrays& arrays, cudaStream_t stream) {
  return launch(count, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace embedding_lookup_kernels::count
