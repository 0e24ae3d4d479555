// sum_1: 2 computations, in one launch whose last block to finish goes on alone.
//
//   sum   15 blocks    reduce, gather, exponential, add, multiply, ... over f32[60]
//   div   last block   gather, exponential, add, multiply, subtract, ... over f32[500]
//
// 15 blocks of 128 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace graph_attention_kernels::sum_1 {
namespace {

// sum: reduce, gather, exponential, add, multiply, ... over f32[60].
//
//   in   receivers   s32[500]
//   in   dot         f32[500]
//   in   dot_1       f32[500]
//   in   max         f32[60]
//   out  sum_out     f32[60]
//
//   select      = select(receivers < 0, receivers + 60, receivers)
//   add         = dot + dot_1
//   start       = clamp(0, select, 59)
//   exponential = exponential(select(add >= 0, add, 0.2 * add) - gather(max, start))
//   sum_out     = reduce(select(iota({0}) == receivers, exponential, -0.0), 0), dimensions={1},
//                 to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 6.2 kB, writes 240 B.
namespace sum {

constexpr int kRows = 60;
constexpr int kColumns = 500;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const Sum1Arrays::SumArrays& arrays) {
  const int* __restrict__ receivers = arrays.receivers;
  const float* __restrict__ dot = arrays.dot;
  const float* __restrict__ dot_1 = arrays.dot_1;
  const float* __restrict__ max = arrays.max;
  float* sum_out = arrays.sum_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum_1
  float sum_1 = 0.0f;
  for (int column = lane; column < kColumns; column += kWarp) {
    const float add = dot[column] + dot_1[column];
    const int receivers_value = receivers[column];
    const int select = receivers_value < 0 ? receivers_value + 60 : receivers_value;
    const int start = minimum(maximum(select, 0), 59);
    const float exponential = expf((add >= 0.0f ? add : 0.2f * add) - max[start]);
    sum_1 += row == receivers_value ? exponential : -0.0f;
  }
  sum_1 = warp_reduce(sum_1, Add());

  if (lane == 0) sum_out[row] = sum_1;
}

}  // namespace sum

// div: gather, exponential, add, multiply, subtract, ... over f32[500].
//
//   in   receivers   s32[500]
//   in   dot         f32[500]
//   in   dot_1       f32[500]
//   in   max         f32[60]
//   in   sum         f32[60]
//   out  div_out     f32[500]
//
//   select      = select(receivers < 0, receivers + 60, receivers)
//   add         = dot + dot_1
//   start       = clamp(0, select, 59)
//   exponential = exponential(select(add >= 0, add, 0.2 * add) - gather(max, start))
//   div_out     = exponential / gather(sum, start)
//
// One block of 128 threads, 4 times. Reads 6.5 kB, writes 2.0 kB.
namespace div {

constexpr int kElements = 500;
constexpr int kThreads = 128;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const Sum1Arrays::DivArrays& arrays) {
  const int* __restrict__ receivers = arrays.receivers;
  const float* __restrict__ dot = arrays.dot;
  const float* __restrict__ dot_1 = arrays.dot_1;
  const float* __restrict__ max = arrays.max;
  const float* sum = arrays.sum;
  float* __restrict__ div_out = arrays.div_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float add = dot[element] + dot_1[element];
  const int receivers_value = receivers[element];
  const int select = receivers_value < 0 ? receivers_value + 60 : receivers_value;
  const int start = minimum(maximum(select, 0), 59);

  div_out[element] = expf((add >= 0.0f ? add : 0.2f * add) - max[start]) / sum[start];
}

}  // namespace div

constexpr int kThreads = 128;
constexpr int kBlocks = sum::kBlocks;

__global__ void __launch_bounds__(kThreads)
sum_1(const __grid_constant__ Sum1Arrays arrays) {
  const int block = blockIdx.x;
  sum::run(block, arrays.sum);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < div::kBlocks; ++i) div::run(i, arrays.div);
}

}  // namespace

cudaError_t
enqueue(const Sum1Arrays& arrays, cudaStream_t stream) {
  return launch(sum_1, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace graph_attention_kernels::sum_1
