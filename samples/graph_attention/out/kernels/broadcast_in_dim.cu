// broadcast_in_dim: 3 computations, in one launch that divides its blocks among them.
//
//   broadcast_in_dim_1   16 blocks   reshape over s32[500,1]
//   broadcast_in_dim_2   16 blocks   add, compare, select over s32[500,1]
//   sum                  60 blocks   reduce, add, compare, select over s32[60]
//
// 92 blocks of 32 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace graph_attention_kernels {
namespace {

// broadcast_in_dim_1: reshape over s32[500,1].
//
//   in   receivers          s32[500]
//   out  broadcast_in_dim   s32[500,1]
//
//   broadcast_in_dim = reshape(receivers, [500,1])
//
// 16 blocks of 32 threads. Reads 2.0 kB, writes 2.0 kB.
namespace broadcast_in_dim_1 {

constexpr int kElements = 500;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const BroadcastInDimArrays::BroadcastInDim1Arrays& arrays) {
  const auto& [receivers, broadcast_in_dim] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  broadcast_in_dim[element] = receivers[element];
}

}  // namespace broadcast_in_dim_1

// broadcast_in_dim_2: add, compare, select over s32[500,1].
//
//   in   receivers          s32[500]
//   out  broadcast_in_dim   s32[500,1]
//
//   broadcast_in_dim = reshape(select(receivers < 0, receivers + 60, receivers), [500,1])
//
// 16 blocks of 32 threads. Reads 2.0 kB, writes 2.0 kB.
namespace broadcast_in_dim_2 {

constexpr int kElements = 500;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const BroadcastInDimArrays::BroadcastInDim2Arrays& arrays) {
  const auto& [receivers, broadcast_in_dim] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const int receivers_value = receivers[element];

  broadcast_in_dim[element] = receivers_value < 0 ? receivers_value + 60 : receivers_value;
}

}  // namespace broadcast_in_dim_2

// sum: reduce, add, compare, select over s32[60].
//
//   in   receivers   s32[500]
//   out  sum_out     s32[60]
//
//   scatter_add = iota({0}) == select(receivers < 0, receivers + 60, receivers)
//   sum_out     = reduce(select(scatter_add, 1, 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, one row a block of 32 threads. Reads 2.0 kB, writes 240 B.
namespace sum {

constexpr int kRows = 60;
constexpr int kColumns = 500;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__device__ void run(int block, const BroadcastInDimArrays::SumArrays& arrays) {
  const auto& [receivers, sum_out] = arrays;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum_1
  int sum_1 = 0;
  for (int column = lane; column < kColumns; column += kWarp) {
    const int receivers_value = receivers[column];
    const bool scatter_add = row == (receivers_value < 0 ? receivers_value + 60 : receivers_value);
    sum_1 += scatter_add ? 1 : 0;
  }
  sum_1 = warp_reduce(sum_1, Add());

  if (lane == 0) sum_out[row] = sum_1;
}

}  // namespace sum

constexpr int kThreads = 32;
constexpr int kBlocks = broadcast_in_dim_1::kBlocks + broadcast_in_dim_2::kBlocks + sum::kBlocks;

__global__ void __launch_bounds__(kThreads)
broadcast_in_dim(const __grid_constant__ BroadcastInDimArrays arrays) {
  int block = blockIdx.x;
  if (block < broadcast_in_dim_1::kBlocks) {
    broadcast_in_dim_1::run(block, arrays.broadcast_in_dim_1);
    return;
  }
  block -= broadcast_in_dim_1::kBlocks;
  if (block < broadcast_in_dim_2::kBlocks) {
    broadcast_in_dim_2::run(block, arrays.broadcast_in_dim_2);
    return;
  }
  block -= broadcast_in_dim_2::kBlocks;
  sum::run(block, arrays.sum);
}

}  // namespace

cudaError_t
launch_broadcast_in_dim(const BroadcastInDimArrays& arrays, cudaStream_t stream) {
  return launch(broadcast_in_dim, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace graph_attention_kernels
