// loss: 2 computations, in one launch whose last block to finish goes on alone.
//
//   sums   3 blocks     scatter, gather, log, exponential, sqrt, ... over f32[32,3]
//   sum    last block   reduce, log, exponential, add, subtract, ... over f32[32]
//
// 3 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels::loss {
namespace {

// sums: scatter, gather, log, exponential, sqrt, ... over f32[32,3].
//
//   in   params_policy_2_b   f32[3]
//   in   picked              s32[4,32]
//   in   picked_2            f32[4,32]
//   in   picked_3            f32[4,32]
//   in   dense_2             f32[32,3]
//   in   max                 f32[32]
//   in   weight_sum          f32[32]
//   in   sum_3               f32[]
//   in   square_sum          f32[]
//   out  sums_out            f32[32,3]
//
//   max_1       = maximum(0.8, exponential)
//   clipped     = minimum(1.2, max_1)
//   ratio_3     = select(exponential == max_1, 1, 0) / select(0.8 == max_1, 2, 1)
//   ratio_2     = select(max_1 == clipped, 1, 0) / select(1.2 == clipped, 2, 1)
//   denominator = sqrt(square_sum / 32) + 1e-08
//   ratio_1     = (picked_3[t,:] - sum_3 / 32) / denominator
//   product_2   = clipped * ratio_1
//   product_1   = exponential * ratio_1
//   min         = minimum(product_1, product_2)
//   is_equal_1  = product_2 == min
//   is_equal_2  = product_1 == min
//   scaled_1    = select(is_equal_1, 1, 0) / select(is_equal_2, 2, 1) * -0.03125
//   product_3   = scaled_1 * ratio_1
//   scaled      = select(is_equal_2, 1, 0) / select(is_equal_1, 2, 1) * -0.03125
//   product     = (product_3 * ratio_2 * ratio_3 + scaled * ratio_1) * exponential
//   sums_out    = scatter(0, wrapped, product), to_apply=add
//   Not shown: wrapped, exponential.
//
// 3 blocks of 32 threads. Reads 788 B, writes 384 B.
namespace sums {

constexpr int kRows = 32;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch read sums_out.
__device__ void run(int block, const LossArrays::SumsArrays& arrays) {
  const float* __restrict__ params_policy_2_b = arrays.params_policy_2_b;
  const int* __restrict__ picked = arrays.picked;
  const float* __restrict__ picked_2 = arrays.picked_2;
  const float* __restrict__ picked_3 = arrays.picked_3;
  const float* __restrict__ dense_2 = arrays.dense_2;
  const float* __restrict__ max = arrays.max;
  const float* __restrict__ weight_sum = arrays.weight_sum;
  const float* __restrict__ sum_3 = arrays.sum_3;
  const float* __restrict__ square_sum = arrays.square_sum;
  float* sums_out = arrays.sums_out;
  int t = arrays.t;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = t * kRows + row;
  const int picked_value = picked[index];
  const int wrapped = picked_value < 0 ? picked_value + 3 : picked_value;
  float sums = 0.0f;
  if (wrapped == column) {
    // loss
    const int start = minimum(maximum(wrapped, 0), 2);
    const float shifted = dense_2[row * 3 + start] + params_policy_2_b[start] - max[row];
    const float log_probability = shifted - logf(weight_sum[row]);
    const float chosen = wrapped >= 0 && wrapped <= 2 ? log_probability : NAN;
    const float exponential = expf(chosen - picked_2[index]);
    const float denominator = sqrtf(square_sum[0] / 32.0f) + 1e-8f;
    const float ratio_1 = (picked_3[index] - sum_3[0] / 32.0f) / denominator;
    const float product_1 = exponential * ratio_1;
    const float max_1 = maximum(0.8f, exponential);
    const float clipped = minimum(1.2f, max_1);
    const float product_2 = clipped * ratio_1;
    const float min = minimum(product_1, product_2);
    const bool is_equal_1 = product_2 == min;
    const bool is_equal_2 = product_1 == min;
    const float product_3 =
        (is_equal_1 ? 1.0f : 0.0f) / (is_equal_2 ? 2.0f : 1.0f) * -0.03125f * ratio_1;
    const float ratio_2 = (max_1 == clipped ? 1.0f : 0.0f) / (1.2f == clipped ? 2.0f : 1.0f);
    const float ratio_3 = (exponential == max_1 ? 1.0f : 0.0f) / (0.8f == max_1 ? 2.0f : 1.0f);

    // epoch
    const float scaled = (is_equal_2 ? 1.0f : 0.0f) / (is_equal_1 ? 2.0f : 1.0f) * -0.03125f;
    sums += fmaf(scaled, ratio_1, product_3 * ratio_2 * ratio_3) * exponential;
  }

  sums_out[element] = sums;
}

}  // namespace sums

// sum: reduce, log, exponential, add, subtract, ... over f32[32].
//
//   in   params_policy_2_b   f32[3]
//   in   dense_2             f32[32,3]
//   in   max                 f32[32]
//   in   weight_sum          f32[32]
//   in   sums                f32[32,3]
//   out  sum_4               f32[32]
//
//   shifted         = dense_2 + params_policy_2_b - broadcast(max)
//   log_sum         = log(weight_sum)
//   log_probability = shifted - broadcast(log_sum)
//   exponential     = exponential(log_probability)
//   scaled          = log_probability * 0.0003125
//   sum             = exponential * 0.0003125 + scaled * exponential
//   negated         = -(sum + sums)
//   sum_4           = reduce(negated, 0), dimensions={1}, to_apply=add
//
// One block of 32 threads. Reads 1.0 kB, writes 128 B.
namespace sum {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements == kThreads, "a thread of the one block has an element");

// No pointer is __restrict__: other parts of the launch write sums.
__device__ void run(const LossArrays::SumArrays& arrays) {
  const auto& [params_policy_2_b, dense_2, max, weight_sum, sums, sum_4] = arrays;
  const int element = threadIdx.x;

  // loss
  const float max_value = max[element];
  const float log_sum = logf(weight_sum[element]);
  const float log_probability_1 = dense_2[element * 3] + params_policy_2_b[0] - max_value - log_sum;
  const float shifted_1 = dense_2[element * 3 + 1] + params_policy_2_b[1] - max_value;
  const float log_probability_2 = shifted_1 - log_sum;
  const float shifted_2 = dense_2[element * 3 + 2] + params_policy_2_b[2] - max_value;
  const float log_probability_3 = shifted_2 - log_sum;
  const float exponential_1 = expf(log_probability_1);
  const float exponential_2 = expf(log_probability_2);
  const float exponential_3 = expf(log_probability_3);

  // epoch
  const float scaled_1 = log_probability_1 * 0.0003125f;
  const float scaled_2 = log_probability_2 * 0.0003125f;
  const float scaled_3 = log_probability_3 * 0.0003125f;

  // loss
  const float sum_1 = fmaf(scaled_1, exponential_1, exponential_1 * 0.0003125f);
  const float sum_2 = fmaf(scaled_2, exponential_2, exponential_2 * 0.0003125f);
  const float negated_1 = -(sum_2 + sums[element * 3 + 1]);
  const float sum_3 = fmaf(scaled_3, exponential_3, exponential_3 * 0.0003125f);
  const float negated_2 = -(sum_3 + sums[element * 3 + 2]);

  sum_4[element] = 0.0f + -(sum_1 + sums[element * 3]) + negated_1 + negated_2;
}

}  // namespace sum

constexpr int kThreads = 32;
constexpr int kBlocks = sums::kBlocks;

__global__ void __launch_bounds__(kThreads)
loss(const __grid_constant__ LossArrays arrays) {
  const int block = blockIdx.x;
  sums::run(block, arrays.sums);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  sum::run(arrays.sum);
}

}  // namespace

cudaError_t
enqueue(const LossArrays& arrays, cudaStream_t stream) {
  return launch(loss, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::loss
