// nearest: reduce, subtract, multiply over s32[400].
//
//   in   points        f32[400,3]
//   in   centres       f32[8,3]
//   out  first_1_out   s32[400]
//
//   difference       = broadcast(points) - broadcast(centres)
//   distance_squared = reduce(difference * difference, 0), dimensions={2}, to_apply=add
//   first_1_out      = reduce(distance_squared, broadcast(iota()), inf, 0), dimensions={1}
//
// 13 blocks of 32 threads. Reads 4.9 kB, writes 1.6 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace kmeans_kernels::nearest {
namespace {

constexpr int kElements = 400;
constexpr int kTerms = 8;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
nearest(const float* __restrict__ points,
        const float* __restrict__ centres,
        int* __restrict__ first_1_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float points_value_1 = points[element * 3];
  const float points_value_2 = points[element * 3 + 1];
  const float points_value_3 = points[element * 3 + 2];
  float best = INFINITY;
  int first_1 = 0;
  for (int k = 0; k < kTerms; ++k) {
    const float difference_1 = points_value_1 - centres[k * 3];
    const float difference_2 = points_value_2 - centres[k * 3 + 1];
    const float difference_3 = points_value_3 - centres[k * 3 + 2];
    const float distance_squared =
        difference_1 * difference_1 + difference_2 * difference_2 + difference_3 * difference_3;
    const bool either = best <= distance_squared || isnan(best);
    const float next_1 = either ? best : distance_squared;
    const int next_2 = either ? first_1 : k;
    best = next_1;
    first_1 = next_2;
  }

  first_1_out[element] = first_1;
}

}  // namespace

cudaError_t
enqueue(const float* points, const float* centres, int* first_1_out, cudaStream_t stream) {
  return launch(nearest, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                points, centres, first_1_out);
}

}  // namespace kmeans_kernels::nearest
