// bag: 2 computations, in one launch that divides its blocks among them.
//
//   bag_3   4 blocks    reduce, compare, convert over f32[4]
//   x       96 blocks   gather, multiply, add over f32[4,24,32]
//
// 100 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace embedding_lookup_embedding_lookup_kernels::bag {
namespace {

// bag_3: reduce, compare, convert over f32[4].
//
//   in   tokens      s32[4,24]
//   out  bag_3_out   f32[4]
//
//   bag_3_out = reduce(f32(tokens != 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, one row a block of 32 threads. Reads 384 B, writes 16 B.
namespace bag_3 {

constexpr int kRows = 4;
constexpr int kColumns = 24;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const BagArrays::Bag3Arrays& arrays) {
  const int* __restrict__ tokens = arrays.tokens;
  float* __restrict__ bag_3_out = arrays.bag_3_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int column = threadIdx.x % kWarp;

  // bag_3
  float bag_3 = 0.0f;
  if (column < kColumns) bag_3 += tokens[row * kColumns + column] != 0 ? 1.0f : 0.0f;
  bag_3 = warp_reduce(bag_3, Add());

  if (column == 0) bag_3_out[row] = bag_3;
}

}  // namespace bag_3

// x: gather, multiply, add over f32[4,24,32].
//
//   in   table       f32[200,32]
//   in   positions   f32[48,32]
//   in   segments    f32[2,32]
//   in   tokens      s32[4,24]
//   in   segment     s32[4,24]
//   out  x_out       f32[4,24,32]
//
//   start_1 = clamp(0, tokens, 199)
//   x       = gather(table, start_1) * 5.656854 + positions[0:24,:]
//   start_2 = clamp(0, segment, 1)
//   x_out   = x + gather(segments, start_2)
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

__device__ void run(int block, const BagArrays::XArrays& arrays) {
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
  const int start_1 = minimum(maximum(tokens[index], 0), 199);
  const float x = fmaf(table[start_1 * kK + k], 5.656854f, positions[j * kK + k]);
  const int start_2 = minimum(maximum(segment[index], 0), 1);

  x_out[element] = x + segments[start_2 * kK + k];
}

}  // namespace x

constexpr int kThreads = 32;
constexpr int kBlocks = bag_3::kBlocks + x::kBlocks;

__global__ void __launch_bounds__(kThreads)
bag(const __grid_constant__ BagArrays arrays) {
  int block = blockIdx.x;
  if (block < bag_3::kBlocks) {
    bag_3::run(block, arrays.bag_3);
    return;
  }
  block -= bag_3::kBlocks;
  x::run(block, arrays.x);
}

}  // namespace

cudaError_t
enqueue(const BagArrays& arrays, cudaStream_t stream) {
  return launch(bag, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace embedding_lookup_embedding_lookup_kernels::bag
