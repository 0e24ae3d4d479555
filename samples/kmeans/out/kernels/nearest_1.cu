// nearest_1: reduce, subtract, multiply over s32[400].
//
//   in   points       f32[400,3]
//   in   centres      f32[8,3]
//   out  reduce_out   s32[400]
//
//   sub_1      = broadcast(points) - broadcast(centres)
//   sum        = reduce(sub_1 * sub_1, 0), dimensions={2}, to_apply=add
//   reduce_out = reduce(sum, broadcast(iota()), inf, 0), dimensions={1}
//
// 13 blocks of 32 threads. Reads 4.9 kB, writes 1.6 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace kmeans_kernels {
namespace {

constexpr int kElements = 400;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
nearest_1(const float* __restrict__ points,
          const float* __restrict__ centres,
          int* __restrict__ reduce_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float points_value_1 = points[element * 3];
  const float points_value_2 = points[element * 3 + 1];
  const float points_value_3 = points[element * 3 + 2];
  float reduce_1 = INFINITY;
  int reduce_2 = 0;
  for (int k = 0; k < 8; ++k) {
    const float sub_1 = points_value_1 - centres[k * 3];
    const float sub_2 = points_value_2 - centres[k * 3 + 1];
    const float sub_3 = points_value_3 - centres[k * 3 + 2];
    const float sum = sub_1 * sub_1 + sub_2 * sub_2 + sub_3 * sub_3;
    const bool or_ = reduce_1 < sum || reduce_1 != reduce_1;
    const float next_1 = or_ ? reduce_1 : sum;
    const int next_2 = or_ || (reduce_1 == sum && reduce_2 < k) ? reduce_2 : k;
    reduce_1 = next_1;
    reduce_2 = next_2;
  }

  reduce_out[element] = reduce_2;
}

}  // namespace

cudaError_t
launch_nearest_1(const float* points, const float* centres, int* reduce_out, cudaStream_t stream) {
  return launch(nearest_1,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, points, centres, reduce_out);
}

}  // namespace kmeans_kernels
