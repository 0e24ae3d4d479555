// nearest_2: reduce, maximum, divide, subtract, multiply, ... over s32[400].
//
//   in   centres_in       f32[8,3]
//   in   points           f32[400,3]
//   in   count            f32[8]
//   in   sums             f32[8,3]
//   out  centres_out      f32[8,3]
//   out  assignment_out   s32[400]
//
//   is_positive      = count > 0
//   denominator      = maximum(count, 1)
//   ratio            = sums / broadcast(denominator)
//   centres_out      = select(broadcast(is_positive), ratio, centres_in)
//   difference       = broadcast(points) - broadcast(centres_out)
//   distance_squared = reduce(difference * difference, 0), dimensions={2}, to_apply=add
//   assignment_out   = reduce(distance_squared, broadcast(iota()), inf, 0), dimensions={1}
//
// 13 blocks of 32 threads. Reads 5.0 kB, writes 1.7 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace kmeans_kernels::nearest_2 {
namespace {

constexpr int kElements = 400;
constexpr int kTerms = 8;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
nearest_2(const float* __restrict__ centres_in,
          const float* __restrict__ points,
          const float* __restrict__ count,
          const float* __restrict__ sums,
          float* __restrict__ centres_out,
          int* __restrict__ assignment_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float points_value_1 = points[element * 3];
  const float points_value_2 = points[element * 3 + 1];
  const float points_value_3 = points[element * 3 + 2];
  float best = INFINITY;
  int assignment = 0;
  for (int k = 0; k < kTerms; ++k) {
    // update
    const float count_value_1 = count[k];
    const bool is_positive = count_value_1 > 0.0f;
    const float denominator = maximum(count_value_1, 1.0f);
    const float chosen = is_positive ? sums[k * 3] / denominator : centres_in[k * 3];
    const float ratio_1 = sums[k * 3 + 1] / denominator;
    const float ratio_2 = sums[k * 3 + 2] / denominator;

    const float difference_1 = points_value_1 - chosen;
    const float difference_2 = points_value_2 - (is_positive ? ratio_1 : centres_in[k * 3 + 1]);
    const float difference_3 = points_value_3 - (is_positive ? ratio_2 : centres_in[k * 3 + 2]);
    const float distance_squared =
        difference_1 * difference_1 + difference_2 * difference_2 + difference_3 * difference_3;
    const bool either = best < distance_squared || isnan(best);
    const float next_1 = either ? best : distance_squared;
    const int next_2 = either || (best == distance_squared && assignment < k) ? assignment : k;
    best = next_1;
    assignment = next_2;
  }

  assignment_out[element] = assignment;
  if (element < 24) {
    const float count_value_2 = count[element / 3];
    const float ratio_3 = sums[element] / maximum(count_value_2, 1.0f);
    centres_out[element] = count_value_2 > 0.0f ? ratio_3 : centres_in[element];
  }
}

}  // namespace

cudaError_t
enqueue(const float* centres_in, const float* points, const float* count, const float* sums,
        float* centres_out, int* assignment_out, cudaStream_t stream) {
  return launch(nearest_2,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, centres_in, points, count, sums, centres_out, assignment_out);
}

}  // namespace kmeans_kernels::nearest_2
