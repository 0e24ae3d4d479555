// sub: 2 computations, in one launch that divides its blocks among them.
//
//   sub_1   16 blocks   gather, add, multiply, subtract, compare, ... over f32[500]
//   sum     60 blocks   reduce, gather, exponential, add, multiply, ... over f32[60]
//
// 76 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace graph_attention_kernels {
namespace {

// sub_1: gather, add, multiply, subtract, compare, ... over f32[500].
//
//   in   dot                f32[500]
//   in   dot_1              f32[500]
//   in   broadcast_in_dim   s32[500,1]
//   in   max                f32[60]
//   out  sub                f32[500]
//
//   add   = dot + dot_1
//   start = clamp(0, broadcast_in_dim, 59)
//   sub   = select(add >= 0, add, 0.2 * add) - gather(max, start)
//
// 16 blocks of 32 threads. Reads 6.2 kB, writes 2.0 kB.
namespace sub_1 {

constexpr int kElements = 500;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const SubArrays::Sub1Arrays& arrays) {
  const auto& [dot, dot_1, broadcast_in_dim, max, sub] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float add = dot[element] + dot_1[element];
  const int start = minimum(maximum(broadcast_in_dim[element], 0), 59);

  sub[element] = (add >= 0.0f ? add : 0.2f * add) - max[start];
}

}  // namespace sub_1

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
// A row a warp, one row a block of 32 threads. Reads 6.2 kB, writes 240 B.
namespace sum {

constexpr int kRows = 60;
constexpr int kColumns = 500;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const SubArrays::SumArrays& arrays) {
  const auto& [receivers, dot, dot_1, max, sum_out] = arrays;
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

constexpr int kThreads = 32;
constexpr int kBlocks = sub_1::kBlocks + sum::kBlocks;

__global__ void __launch_bounds__(kThreads)
sub(const __grid_constant__ SubArrays arrays) {
  int block = blockIdx.x;
  if (block < sub_1::kBlocks) {
    sub_1::run(block, arrays.sub_1);
    return;
  }
  block -= sub_1::kBlocks;
  sum::run(block, arrays.sum);
}

}  // namespace

cudaError_t
launch_sub(const SubArrays& arrays, cudaStream_t stream) {
  return launch(sub, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace graph_attention_kernels
