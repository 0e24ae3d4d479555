// fill: 2 computations, in one launch that divides its blocks among them.
//
//   fill_2    13 blocks   broadcast over s32[400]
//   nearest   13 blocks   reduce, subtract, multiply over s32[400]
//
// 26 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace kmeans_kernels::fill {
namespace {

// fill_2: broadcast over s32[400].
//
//   out  while_   s32[400]
//
//   while_ = -1
//
// 13 blocks of 32 threads. Reads 0 B, writes 1.6 kB.
namespace fill_2 {

constexpr int kElements = 400;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const FillArrays::Fill2Arrays& arrays) {
  int* __restrict__ while_ = arrays.while_;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  while_[element] = -1;
}

}  // namespace fill_2

// nearest: reduce, subtract, multiply over s32[400].
//
//   in   x       f32[400,3]
//   in   start   f32[8,3]
//   out  j_out   s32[400]
//
//   far_1 = broadcast(x) - broadcast(start)
//   far_4 = reduce(far_1 * far_1, 0), dimensions={2}, to_apply=add
//   j_out = reduce(far_4, iota({1}), inf, 0), dimensions={1}
//
// 13 blocks of 32 threads. Reads 4.9 kB, writes 1.6 kB.
namespace nearest {

constexpr int kElements = 400;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const FillArrays::NearestArrays& arrays) {
  const float* __restrict__ x = arrays.x;
  const float* __restrict__ start = arrays.start;
  int* __restrict__ j_out = arrays.j_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float x_value_1 = x[element * 3];
  const float x_value_2 = x[element * 3 + 1];
  const float x_value_3 = x[element * 3 + 2];
  float j_1 = INFINITY;
  int j_2 = 0;
  for (int k = 0; k < 8; ++k) {
    const float far_1 = x_value_1 - start[k * 3];
    const float far_2 = x_value_2 - start[k * 3 + 1];
    const float far_3 = x_value_3 - start[k * 3 + 2];
    const float far_4 = far_1 * far_1 + far_2 * far_2 + far_3 * far_3;
    const bool j_3 = j_1 < far_4 || j_1 != j_1;
    const float next_1 = j_3 ? j_1 : far_4;
    const int next_2 = j_3 || (j_1 == far_4 && j_2 < k) ? j_2 : k;
    j_1 = next_1;
    j_2 = next_2;
  }

  j_out[element] = j_2;
}

}  // namespace nearest

constexpr int kThreads = 32;
constexpr int kBlocks = fill_2::kBlocks + nearest::kBlocks;

__global__ void __launch_bounds__(kThreads)
fill(const __grid_constant__ FillArrays arrays) {
  int block = blockIdx.x;
  if (block < fill_2::kBlocks) {
    fill_2::run(block, arrays.fill_2);
    return;
  }
  block -= fill_2::kBlocks;
  nearest::run(block, arrays.nearest);
}

}  // namespace

cudaError_t
enqueue(const FillArrays& arrays, cudaStream_t stream) {
  return launch(fill, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace kmeans_kernels::fill
