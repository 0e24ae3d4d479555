// nearest: reduce, maximum, divide, subtract, multiply, ... over s32[400].
//
//   in   centres_in       f32[8,3]
//   in   points           f32[400,3]
//   in   sum              f32[8]
//   in   scatter_add      f32[8,3]
//   out  centres_out      f32[8,3]
//   out  assignment_out   s32[400]
//
//   is_positive_1  = sum > 0
//   max_1          = maximum(sum, 1)
//   div_1          = scatter_add / broadcast(max_1)
//   centres_out    = select(broadcast(is_positive_1), div_1, centres_in)
//   sub_1          = broadcast(points) - broadcast(centres_out)
//   sum_1          = reduce(sub_1 * sub_1, 0), dimensions={2}, to_apply=add
//   assignment_out = reduce(sum_1, broadcast(iota()), inf, 0), dimensions={1}
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
        const float* __restrict__ sum,
        const float* __restrict__ scatter_add,
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
    const float sum_value_1 = sum[k];
    const bool is_positive_1 = sum_value_1 > 0.0f;
    const float max_1 = maximum(sum_value_1, 1.0f);
    const float select = is_positive_1 ? scatter_add[k * 3] / max_1 : centres_in[k * 3];
    const float div_1 = scatter_add[k * 3 + 1] / max_1;
    const float div_2 = scatter_add[k * 3 + 2] / max_1;

    // nearest
    const float sub_1 = points_value_1 - select;
    const float sub_2 = points_value_2 - (is_positive_1 ? div_1 : centres_in[k * 3 + 1]);
    const float sub_3 = points_value_3 - (is_positive_1 ? div_2 : centres_in[k * 3 + 2]);
    const float sum_1 = sub_1 * sub_1 + sub_2 * sub_2 + sub_3 * sub_3;
    const bool either = best < sum_1 || best != best;
    const float next_1 = either ? best : sum_1;
    const int next_2 = either || (best == sum_1 && assignment < k) ? assignment : k;
    best = next_1;
    assignment = next_2;
  }

  // update
  const float sum_value_2 = sum[0];
  const float sum_value_3 = sum[1];
  const float sum_value_4 = sum[2];
  const float sum_value_5 = sum[3];
  const float sum_value_6 = sum[4];
  const float sum_value_7 = sum[5];
  const float sum_value_8 = sum[6];
  const float sum_value_9 = sum[7];
  const bool is_positive_2 = sum_value_2 > 0.0f;
  const bool is_positive_3 = sum_value_3 > 0.0f;
  const bool is_positive_4 = sum_value_4 > 0.0f;
  const bool is_positive_5 = sum_value_5 > 0.0f;
  const bool is_positive_6 = sum_value_6 > 0.0f;
  const bool is_positive_7 = sum_value_7 > 0.0f;
  const bool is_positive_8 = sum_value_8 > 0.0f;
  const bool is_positive_9 = sum_value_9 > 0.0f;
  const float max_2 = maximum(sum_value_2, 1.0f);
  const float max_3 = maximum(sum_value_3, 1.0f);
  const float max_4 = maximum(sum_value_4, 1.0f);
  const float max_5 = maximum(sum_value_5, 1.0f);
  const float max_6 = maximum(sum_value_6, 1.0f);
  const float max_7 = maximum(sum_value_7, 1.0f);
  const float max_8 = maximum(sum_value_8, 1.0f);
  const float max_9 = maximum(sum_value_9, 1.0f);

  assignment_out[element] = assignment;
  if (element == 0) {
    centres_out[0] = is_positive_2 ? scatter_add[0] / max_2 : centres_in[0];
    centres_out[1] = is_positive_2 ? scatter_add[1] / max_2 : centres_in[1];
    centres_out[2] = is_positive_2 ? scatter_add[2] / max_2 : centres_in[2];
    centres_out[3] = is_positive_3 ? scatter_add[3] / max_3 : centres_in[3];
    centres_out[4] = is_positive_3 ? scatter_add[4] / max_3 : centres_in[4];
    centres_out[5] = is_positive_3 ? scatter_add[5] / max_3 : centres_in[5];
    centres_out[6] = is_positive_4 ? scatter_add[6] / max_4 : centres_in[6];
    centres_out[7] = is_positive_4 ? scatter_add[7] / max_4 : centres_in[7];
    centres_out[8] = is_positive_4 ? scatter_add[8] / max_4 : centres_in[8];
    centres_out[9] = is_positive_5 ? scatter_add[9] / max_5 : centres_in[9];
    centres_out[10] = is_positive_5 ? scatter_add[10] / max_5 : centres_in[10];
    centres_out[11] = is_positive_5 ? scatter_add[11] / max_5 : centres_in[11];
    centres_out[12] = is_positive_6 ? scatter_add[12] / max_6 : centres_in[12];
    centres_out[13] = is_positive_6 ? scatter_add[13] / max_6 : centres_in[13];
    centres_out[14] = is_positive_6 ? scatter_add[14] / max_6 : centres_in[14];
    centres_out[15] = is_positive_7 ? scatter_add[15] / max_7 : centres_in[15];
    centres_out[16] = is_positive_7 ? scatter_add[16] / max_7 : centres_in[16];
    centres_out[17] = is_positive_7 ? scatter_add[17] / max_7 : centres_in[17];
    centres_out[18] = is_positive_8 ? scatter_add[18] / max_8 : centres_in[18];
    centres_out[19] = is_positive_8 ? scatter_add[19] / max_8 : centres_in[19];
    centres_out[20] = is_positive_8 ? scatter_add[20] / max_8 : centres_in[20];
    centres_out[21] = is_positive_9 ? scatter_add[21] / max_9 : centres_in[21];
    centres_out[22] = is_positive_9 ? scatter_add[22] / max_9 : centres_in[22];
    centres_out[23] = is_positive_9 ? scatter_add[23] / max_9 : centres_in[23];
  }
}

}  // namespace

cudaError_t
enqueue(const float* centres_in,
        const float* points,
        const float* sum,
        const float* scatter_add,
        float* centres_out,
        int* assignment_out,
        cudaStream_t stream) {
  return launch(nearest, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                centres_in, points, sum, scatter_add, centres_out, assignment_out);
}

}  // namespace kmeans_kernels::nearest
