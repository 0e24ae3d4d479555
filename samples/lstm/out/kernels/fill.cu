// fill: 2 computations, in one launch that divides its blocks among them.
//
//   fill_1   36 blocks   broadcast over f32[12,4,24]
//   fill_2   3 blocks    broadcast over f32[4,24]
//
// 39 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace lstm_kernels {
namespace {

// fill_1: broadcast over f32[12,4,24].
//
//   out  broadcast_in_dim   f32[12,4,24]
//
//   broadcast_in_dim = 0
//
// 36 blocks of 32 threads. Reads 0 B, writes 4.6 kB.
namespace fill_1 {

constexpr int kElements = 1152;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const FillArrays::Fill1Arrays& arrays) {
  const auto& [broadcast_in_dim] = arrays;
  const int element = block * kThreads + threadIdx.x;

  broadcast_in_dim[element] = 0.0f;
}

}  // namespace fill_1

// fill_2: broadcast over f32[4,24].
//
//   out  broadcast_in_dim   f32[4,24]
//
//   broadcast_in_dim = 0
//
// 3 blocks of 32 threads. Reads 0 B, writes 384 B.
namespace fill_2 {

constexpr int kElements = 96;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const FillArrays::Fill2Arrays& arrays) {
  const auto& [broadcast_in_dim] = arrays;
  const int element = block * kThreads + threadIdx.x;

  broadcast_in_dim[element] = 0.0f;
}

}  // namespace fill_2

constexpr int kThreads = 32;
constexpr int kBlocks = fill_1::kBlocks + fill_2::kBlocks;

__global__ void __launch_bounds__(kThreads)
fill(const __grid_constant__ FillArrays arrays) {
  int block = blockIdx.x;
  if (block < fill_1::kBlocks) {
    fill_1::run(block, arrays.fill_1);
    return;
  }
  block -= fill_1::kBlocks;
  fill_2::run(block, arrays.fill_2);
}

}  // namespace

cudaError_t
launch_fill(const FillArrays& arrays, cudaStream_t stream) {
  return launch(fill, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace lstm_kernels
