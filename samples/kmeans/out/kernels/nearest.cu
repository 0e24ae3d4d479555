// nearest: reduce, maximum, divide, subtract, multiply, ... over s32[400].
//
//   in   centres_in       f32[8,3]
//   in   points           f32[400,3]
//   in   count            f32[8]
//   in   sums             f32[8,3]
//   out  centres_out      f32[8,3]
//   out  assignment_out   s32[400]
//
//   is_positive_1    = count > 0
//   denominator_1    = maximum(count, 1)
//   ratio_1          = sums / broadcast(denominator_1)
//   centres_out      = select(broadcast(is_positive_1), ratio_1, centres_in)
//   difference_1     = broadcast(points) - broadcast(centres_out)
//   distance_squared = reduce(difference_1 * difference_1, 0), dimensions={2}, to_apply=add
//   assignment_out   = reduce(distance_squared, broadcast(iota()), inf, 0), dimensions={1}
//
// 13 blocks of 32 threads. Reads 5.0 kB, writes 1.7 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace kmeans_kernels::nearest {
namespace {

constexpr int kElements = 400;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
nearest(const float* __restrict__ centres_in,
        const float* __restrict__ points,
        const float* __restrict__ count,
        const float* __restrict__ sums,
        float* __restrict__ centres_out,
        int* __restrict__ assignment_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  // nearest
  const float points_value_1 = points[element * 3];
  const float points_value_2 = points[element * 3 + 1];
  const float points_value_3 = points[element * 3 + 2];
  float best = INFINITY;
  int assignment = 0;
  for (int k = 0; k < 8; ++k) {
    // update
    const float count_value_1 = count[k];
    const bool is_positive_1 = count_value_1 > 0.0f;
    const float denominator_1 = maximum(count_value_1, 1.0f);
    const float chosen = is_positive_1 ? sums[k * 3] / denominator_1 : centres_in[k * 3];
    const float ratio_1 = sums[k * 3 + 1] / denominator_1;
    const float ratio_2 = sums[k * 3 + 2] / denominator_1;

    // nearest
    const float difference_1 = points_value_1 - chosen;
    const float difference_2 = points_value_2 - (is_positive_1 ? ratio_1 : centres_in[k * 3 + 1]);
    const float difference_3 = points_value_3 - (is_positive_1 ? ratio_2 : centres_in[k * 3 + 2]);
    const float distance_squared =
        difference_1 * difference_1 + difference_2 * difference_2 + difference_3 * difference_3;
    const bool either = best < distance_squared || best != best;
    const float next_1 = either ? best : distance_squared;
    const int next_2 = either || (best == distance_squared && assignment < k) ? assignment : k;
    best = next_1;
    assignment = next_2;
  }

  // update
  const float count_value_2 = count[0];
  const float count_value_3 = count[1];
  const float count_value_4 = count[2];
  const float count_value_5 = count[3];
  const float count_value_6 = count[4];
  const float count_value_7 = count[5];
  const float count_value_8 = count[6];
  const float count_value_9 = count[7];
  const bool is_positive_2 = count_value_2 > 0.0f;
  const bool is_positive_3 = count_value_3 > 0.0f;
  const bool is_positive_4 = count_value_4 > 0.0f;
  const bool is_positive_5 = count_value_5 > 0.0f;
  const bool is_positive_6 = count_value_6 > 0.0f;
  const bool is_positive_7 = count_value_7 > 0.0f;
  const bool is_positive_8 = count_value_8 > 0.0f;
  const bool is_positive_9 = count_value_9 > 0.0f;
  const float denominator_2 = maximum(count_value_2, 1.0f);
  const float denominator_3 = maximum(count_value_3, 1.0f);
  const float denominator_4 = maximum(count_value_4, 1.0f);
  const float denominator_5 = maximum(count_value_5, 1.0f);
  const float denominator_6 = maximum(count_value_6, 1.0f);
  const float denominator_7 = maximum(count_value_7, 1.0f);
  const float denominator_8 = maximum(count_value_8, 1.0f);
  const float denominator_9 = maximum(count_value_9, 1.0f);

  assignment_out[element] = assignment;
  if (element == 0) {
    centres_out[0] = is_positive_2 ? sums[0] / denominator_2 : centres_in[0];
    centres_out[1] = is_positive_2 ? sums[1] / denominator_2 : centres_in[1];
    centres_out[2] = is_positive_2 ? sums[2] / denominator_2 : centres_in[2];
    centres_out[3] = is_positive_3 ? sums[3] / denominator_3 : centres_in[3];
    centres_out[4] = is_positive_3 ? sums[4] / denominator_3 : centres_in[4];
    centres_out[5] = is_positive_3 ? sums[5] / denominator_3 : centres_in[5];
    centres_out[6] = is_positive_4 ? sums[6] / denominator_4 : centres_in[6];
    centres_out[7] = is_positive_4 ? sums[7] / denominator_4 : centres_in[7];
    centres_out[8] = is_positive_4 ? sums[8] / denominator_4 : centres_in[8];
    centres_out[9] = is_positive_5 ? sums[9] / denominator_5 : centres_in[9];
    centres_out[10] = is_positive_5 ? sums[10] / denominator_5 : centres_in[10];
    centres_out[11] = is_positive_5 ? sums[11] / denominator_5 : centres_in[11];
    centres_out[12] = is_positive_6 ? sums[12] / denominator_6 : centres_in[12];
    centres_out[13] = is_positive_6 ? sums[13] / denominator_6 : centres_in[13];
    centres_out[14] = is_positive_6 ? sums[14] / denominator_6 : centres_in[14];
    centres_out[15] = is_positive_7 ? sums[15] / denominator_7 : centres_in[15];
    centres_out[16] = is_positive_7 ? sums[16] / denominator_7 : centres_in[16];
    centres_out[17] = is_positive_7 ? sums[17] / denominator_7 : centres_in[17];
    centres_out[18] = is_positive_8 ? sums[18] / denominator_8 : centres_in[18];
    centres_out[19] = is_positive_8 ? sums[19] / denominator_8 : centres_in[19];
    centres_out[20] = is_positive_8 ? sums[20] / denominator_8 : centres_in[20];
    centres_out[21] = is_positive_9 ? sums[21] / denominator_9 : centres_in[21];
    centres_out[22] = is_positive_9 ? sums[22] / denominator_9 : centres_in[22];
    centres_out[23] = is_positive_9 ? sums[23] / denominator_9 : centres_in[23];
  }
}

}  // namespace

cudaError_t
enqueue(const float* centres_in,
        const float* points,
        const float* count,
        const float* sums,
        float* centres_out,
        int* assignment_out,
        cudaStream_t stream) {
  return launch(nearest, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                centres_in, points, count, sums, centres_out, assignment_out);
}

}  // namespace kmeans_kernels::nearest
