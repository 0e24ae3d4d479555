// max_1: 2 computations, in one launch that divides its blocks among them.
//
//   max      60 blocks   reduce, add, multiply, compare, select over f32[60]
//   select   16 blocks   add, multiply, compare, select over f32[500]
//
// 76 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace graph_attention_kernels {
namespace {

// max: reduce, add, multiply, compare, select over f32[60].
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
// A row a warp, one row a block of 32 threads. Reads 6.0 kB, writes 240 B.
namespace max {

constexpr int kRows = 60;
constexpr int kColumns = 500;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const Max1Arrays::MaxArrays& arrays) {
  const auto& [receivers, dot, dot_1, max_out] = arrays;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // max_1
  float max_1 = -INFINITY;
  for (int column = lane; column < kColumns; column += kWarp) {
    const float add = dot[column] + dot_1[column];
    max_1 = maximum(max_1, row == receivers[column] ? (add >= 0.0f ? add : 0.2f * add) : -INFINITY);
  }
  max_1 = warp_reduce(max_1, Maximum());

  if (lane == 0) max_out[row] = max_1;
}

}  // namespace max

// select: add, multiply, compare, select over f32[500].
//
//   in   dot          f32[500]
//   in   dot_1        f32[500]
//   out  select_out   f32[500]
//
//   add        = dot + dot_1
//   select_out = select(add >= 0, add, 0.2 * add)
//
// 16 blocks of 32 threads. Reads 4.0 kB, writes 2.0 kB.
namespace select {

constexpr int kElements = 500;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const Max1Arrays::SelectArrays& arrays) {
  const auto& [dot, dot_1, select_out] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float add = dot[element] + dot_1[element];

  select_out[element] = add >= 0.0f ? add : 0.2f * add;
}

}  // namespace select

constexpr int kThreads = 32;
constexpr int kBlocks = max::kBlocks + select::kBlocks;

__global__ void __launch_bounds__(kThreads)
max_1(const __grid_constant__ Max1Arrays arrays) {
  int block = blockIdx.x;
  if (block < max::kBlocks) {
    max::run(block, arrays.max);
    return;
  }
  block -= max::kBlocks;
  select::run(block, arrays.select);
}

}  // namespace

cudaError_t
launch_max_1(const Max1Arrays& arrays, cudaStream_t stream) {
  return launch(max_1, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace graph_attention_kernels
