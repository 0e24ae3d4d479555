// sum: 3 computations on 4 sets of arrays, in one launch that divides its blocks among them.
//
//   max     40 blocks       reduce over f32[40]
//   sum_1   2 x 40 blocks   reduce over f32[40]
//   sum_3   40 blocks       reduce over s32[40]
//
// 160 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace oscillators_kernels {
namespace {

// max: reduce over f32[40].
//
//   in   max_in    f32[40,128]
//   out  max_out   f32[40]
//
//   max_out = reduce(max_in, -inf), dimensions={1}, to_apply=maximum
//
// A row a warp, one row a block of 32 threads. Reads 20.5 kB, writes 160 B.
namespace max {

constexpr int kRows = 40;
constexpr int kColumns = 128;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const SumArrays::MaxArrays& arrays) {
  const auto& [max_in, max_out] = arrays;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // max_next
  float max_next = -INFINITY;
  for (int column = lane; column < kColumns; column += kWarp) {
    max_next = maximum(max_next, max_in[row * kColumns + column]);
  }
  max_next = warp_reduce(max_next, Maximum());

  if (lane == 0) max_out[row] = max_next;
}

}  // namespace max

// sum_1: reduce over f32[40].
//
//   in   sum_in    f32[40,128]
//   out  sum_out   f32[40]
//
//   sum_out = reduce(sum_in, 0), dimensions={1}, to_apply=add
//
// A row a warp, one row a block of 32 threads. Reads 20.5 kB, writes 160 B.
namespace sum_1 {

constexpr int kRows = 40;
constexpr int kColumns = 128;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const SumArrays::Sum1Arrays& arrays) {
  const auto& [sum_in, sum_out] = arrays;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum_next
  float sum_next = 0.0f;
  for (int column = lane; column < kColumns; column += kWarp) {
    sum_next += sum_in[row * kColumns + column];
  }
  sum_next = warp_reduce(sum_next, Add());

  if (lane == 0) sum_out[row] = sum_next;
}

}  // namespace sum_1

// sum_3: reduce over s32[40].
//
//   in   sum_in    s32[40,128]
//   out  sum_out   s32[40]
//
//   sum_out = reduce(sum_in, 0), dimensions={1}, to_apply=add
//
// A row a warp, one row a block of 32 threads. Reads 20.5 kB, writes 160 B.
namespace sum_3 {

constexpr int kRows = 40;
constexpr int kColumns = 128;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const SumArrays::Sum3Arrays& arrays) {
  const auto& [sum_in, sum_out] = arrays;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum_next
  int sum_next = 0;
  for (int column = lane; column < kColumns; column += kWarp) {
    sum_next += sum_in[row * kColumns + column];
  }
  sum_next = warp_reduce(sum_next, Add());

  if (lane == 0) sum_out[row] = sum_next;
}

}  // namespace sum_3

constexpr int kThreads = 32;
constexpr int kBlocks = max::kBlocks + 2 * sum_1::kBlocks + sum_3::kBlocks;

__global__ void __launch_bounds__(kThreads)
sum(const __grid_constant__ SumArrays arrays) {
  int block = blockIdx.x;
  if (block < max::kBlocks) {
    max::run(block, arrays.max);
    return;
  }
  block -= max::kBlocks;
  if (block < 2 * sum_1::kBlocks) {
    sum_1::run(block % sum_1::kBlocks, arrays.sum_1[block / sum_1::kBlocks]);
    return;
  }
  block -= 2 * sum_1::kBlocks;
  sum_3::run(block, arrays.sum_3);
}

}  // namespace

cudaError_t
launch_sum(const SumArrays& arrays, cudaStream_t stream) {
  return launch(sum, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace oscillators_kernels
