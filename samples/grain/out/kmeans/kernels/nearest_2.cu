// nearest_2: reduce, maximum, divide, subtract, multiply, ... over s32[400].
//
//   in   centres_in    f32[8,3]
//   in   x             f32[400,3]
//   in   count         f32[8]
//   in   sums          f32[8,3]
//   out  centres_out   f32[8,3]
//   out  cluster_out   s32[400]
//
//   moved_1     = count > 0
//   moved_2     = maximum(count, 1)
//   moved_4     = sums / broadcast(moved_2)
//   centres_out = select(broadcast(moved_1), moved_4, centres_in)
//   far_1       = broadcast(x) - broadcast(centres_out)
//   far_2       = reduce(far_1 * far_1, 0), dimensions={2}, to_apply=add
//   cluster_out = reduce(far_2, iota({1}), inf, 0), dimensions={1}, to_apply=j
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
          const float* __restrict__ x,
          const float* __restrict__ count,
          const float* __restrict__ sums,
          float* __restrict__ centres_out,
          int* __restrict__ cluster_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float x_value_1 = x[element * 3];
  const float x_value_2 = x[element * 3 + 1];
  const float x_value_3 = x[element * 3 + 2];
  float j_1 = INFINITY;
  int cluster = 0;
  for (int k = 0; k < kTerms; ++k) {
    const float count_value_1 = count[k];
    const bool moved_1 = count_value_1 > 0.0f;
    const float moved_2 = maximum(count_value_1, 1.0f);
    const float moved_3_1 = moved_1 ? sums[k * 3 + 1] / moved_2 : centres_in[k * 3 + 1];
    const float moved_3_2 = moved_1 ? sums[k * 3 + 2] / moved_2 : centres_in[k * 3 + 2];

    const float far_1_1 = x_value_1 - (moved_1 ? sums[k * 3] / moved_2 : centres_in[k * 3]);
    const float far_1_2 = x_value_2 - moved_3_1;
    const float far_1_3 = x_value_3 - moved_3_2;
    const float far_2 = far_1_1 * far_1_1 + far_1_2 * far_1_2 + far_1_3 * far_1_3;
    const bool j_2 = j_1 < far_2 || isnan(j_1);
    const float next_1 = j_2 ? j_1 : far_2;
    const int next_2 = j_2 || (j_1 == far_2 && cluster < k) ? cluster : k;
    j_1 = next_1;
    cluster = next_2;
  }

  cluster_out[element] = cluster;
  if (element < 24) {
    const float count_value_2 = count[element / 3];
    const float moved_4 = sums[element] / maximum(count_value_2, 1.0f);
    centres_out[element] = count_value_2 > 0.0f ? moved_4 : centres_in[element];
  }
}

}  // namespace

cudaError_t
enqueue(const float* centres_in, const float* x, const float* count, const float* sums,
        float* centres_out, int* cluster_out, cudaStream_t stream) {
  return launch(nearest_2,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, centres_in, x, count, sums, centres_out, cluster_out);
}

}  // namespace kmeans_kernels::nearest_2
