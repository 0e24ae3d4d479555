// fill: 2 computations, in one launch that divides its blocks among them.
//
//   fill_1    13 blocks   broadcast over s32[400]
//   nearest   13 blocks   reduce, subtract, multiply over s32[400]
//
// 26 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace kmeans_kernels::fill {
namespace {

// fill_1: broadcast over s32[400].
//
//   out  broadcast_in_dim   s32[400]
//
//   broadcast_in_dim = -1
//
// 13 blocks of 32 threads. Reads 0 B, writes 1.6 kB.
namespace fill_1 {

constexpr int kElements = 400;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const FillArrays::Fill1Arrays& arrays) {
  int* __restrict__ broadcast_in_dim = arrays.broadcast_in_dim;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  broadcast_in_dim[element] = -1;
}

}  // namespace fill_1

// nearest: reduce, subtract, multiply over s32[400].
//
//   in   points        f32[400,3]
//   in   centres       f32[8,3]
//   out  first_1_out   s32[400]
//
//   sub_1       = broadcast(points) - broadcast(centres)
//   sum         = reduce(sub_1 * sub_1, 0), dimensions={2}, to_apply=add
//   first_1_out = reduce(sum, broadcast(iota()), inf, 0), dimensions={1}
//
// 13 blocks of 32 threads. Reads 4.9 kB, writes 1.6 kB.
namespace nearest {

constexpr int kElements = 400;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const FillArrays::NearestArrays& arrays) {
  const float* __restrict__ points = arrays.points;
  const float* __restrict__ centres = arrays.centres;
  int* __restrict__ first_1_out = arrays.first_1_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float points_value_1 = points[element * 3];
  const float points_value_2 = points[element * 3 + 1];
  const float points_value_3 = points[element * 3 + 2];
  float best = INFINITY;
  int first_1 = 0;
  for (int k = 0; k < 8; ++k) {
    const float sub_1 = points_value_1 - centres[k * 3];
    const float sub_2 = points_value_2 - centres[k * 3 + 1];
    const float sub_3 = points_value_3 - centres[k * 3 + 2];
    const float sum = sub_1 * sub_1 + sub_2 * sub_2 + sub_3 * sub_3;
    const bool either = best < sum || best != best;
    const float next_1 = either ? best : sum;
    const int next_2 = either || (best == sum && first_1 < k) ? first_1 : k;
    best = next_1;
    first_1 = next_2;
  }

  first_1_out[element] = first_1;
}

}  // namespace nearest

constexpr int kThreads = 32;
constexpr int kBlocks = fill_1::kBlocks + nearest::kBlocks;

__global__ void __launch_bounds__(kThreads)
fill(const __grid_constant__ FillArrays arrays) {
  int block = blockIdx.x;
  if (block < fill_1::kBlocks) {
    fill_1::run(block, arrays.fill_1);
    return;
  }
  block -= fill_1::kBlocks;
  nearest::run(block, arrays.nearest);
}

}  // namespace

cudaError_t
enqueue(const FillArrays& arrays, cudaStream_t stream) {
  return launch(fill, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace kmeans_kernels::fill
