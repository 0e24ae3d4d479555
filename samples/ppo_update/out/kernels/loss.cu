// loss: 2 computations, in one launch whose last block to finish goes on alone.
//
//   loss_2        3 blocks     reduce, gather, exponential, log, sqrt, ... over f32[32,3]
//   minibatch_6   last block   reduce, sqrt, subtract, multiply, add, ... over f32[3]
//
// 3 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels::loss {
namespace {

// loss_2: reduce, gather, exponential, log, sqrt, ... over f32[32,3].
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
//   out  loss_2_out          f32[32,3]
//
//   sum        = reduce(negated, 0), dimensions={1}, to_apply=add
//   loss_2_out = sum_2 + broadcast(sum_4) * exponential(shifted)
//   Not shown: shifted, sum_2, negated, sum_4.
//
// 3 blocks of 32 threads. Reads 1.0 kB, writes 384 B.
namespace loss_2 {

constexpr int kRows = 32;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: other parts of the launch write params_policy_2_b; other parts of the
// launch read loss_2_out.
__device__ void run(int block, const LossArrays::Loss2Arrays& arrays) {
  const auto& [params_policy_2_b, picked, picked_2, picked_3, dense_2, max, weight_sum, sum_3,
               square_sum, loss_2_out, t] = arrays;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = t * kRows + row;

  const float max_value = max[row];
  const float shifted_1 = dense_2[element] + params_policy_2_b[column] - max_value;
  const float weight_sum_value = weight_sum[row];
  const float log_sum = logf(weight_sum_value);
  const float log_probability_1 = shifted_1 - log_sum;
  const float log_probability_2 = dense_2[row * 3] + params_policy_2_b[0] - max_value - log_sum;
  const float log_probability_3 = dense_2[row * 3 + 1] + params_policy_2_b[1] - max_value - log_sum;
  const float log_probability_4 = dense_2[row * 3 + 2] + params_policy_2_b[2] - max_value - log_sum;
  const int picked_value = picked[index];
  const int wrapped = picked_value < 0 ? picked_value + 3 : picked_value;
  const int start = minimum(maximum(wrapped, 0), 2);
  const float shifted_2 = dense_2[row * 3 + start] + params_policy_2_b[start] - max_value;
  const float chosen = wrapped >= 0 && wrapped <= 2 ? shifted_2 - log_sum : NAN;
  const float exponential_1 = expf(chosen - picked_2[index]);
  const float denominator = sqrtf(square_sum[0] / 32.0f) + 1e-8f;
  const float ratio = (picked_3[index] - sum_3[0] / 32.0f) / denominator;
  const float product_1 = exponential_1 * ratio;
  const float max_1 = maximum(0.8f, exponential_1);
  const float clipped = minimum(1.2f, max_1);
  const float product_2 = clipped * ratio;
  const float min = minimum(product_1, product_2);
  const bool is_equal_1 = product_2 == min;
  const bool is_equal_2 = product_1 == min;
  const float product_3 =
      (is_equal_1 ? 1.0f : 0.0f) / (is_equal_2 ? 2.0f : 1.0f) * -0.03125f * ratio;
  const float product_4 =
      product_3 * ((max_1 == clipped ? 1.0f : 0.0f) / (1.2f == clipped ? 2.0f : 1.0f));
  const float product_5 =
      product_4 * ((exponential_1 == max_1 ? 1.0f : 0.0f) / (0.8f == max_1 ? 2.0f : 1.0f));
  const float exponential_2_1 = expf(log_probability_1);
  const float exponential_2_2 = expf(log_probability_2);
  const float exponential_2_3 = expf(log_probability_3);
  const float exponential_2_4 = expf(log_probability_4);

  // epoch
  const float scaled_1_1 = log_probability_1 * 0.0003125f;
  const float scaled_2 = (is_equal_2 ? 1.0f : 0.0f) / (is_equal_1 ? 2.0f : 1.0f) * -0.03125f;
  const float scaled_1_2 = log_probability_2 * 0.0003125f;
  const float scaled_1_3 = log_probability_3 * 0.0003125f;
  const float scaled_1_4 = log_probability_4 * 0.0003125f;

  const float product_6 = fmaf(scaled_2, ratio, product_5) * exponential_1;
  const float sum_1_1 = fmaf(scaled_1_1, exponential_2_1, exponential_2_1 * 0.0003125f);
  const float sum_2 = sum_1_1 + (column == wrapped ? 0.0f + product_6 : 0.0f);
  const float sum_1_2 = fmaf(scaled_1_2, exponential_2_2, exponential_2_2 * 0.0003125f);
  const float negated_1 = -(sum_1_2 + (0 == wrapped ? 0.0f + product_6 : 0.0f));
  const float sum_1_3 = fmaf(scaled_1_3, exponential_2_3, exponential_2_3 * 0.0003125f);
  const float negated_2 = -(sum_1_3 + (1 == wrapped ? 0.0f + product_6 : 0.0f));
  const float sum_1_4 = fmaf(scaled_1_4, exponential_2_4, exponential_2_4 * 0.0003125f);
  const float negated_3 = -(sum_1_4 + (2 == wrapped ? 0.0f + product_6 : 0.0f));
  const float sum_4 = 0.0f + (0.0f + negated_1 + negated_2 + negated_3) / weight_sum_value;

  loss_2_out[element] = fmaf(sum_4, expf(shifted_1), sum_2);
}

}  // namespace loss_2

// minibatch_6: reduce, sqrt, subtract, multiply, add, ... over f32[3].
//
//   in   params_policy_2_b_in     f32[3]
//   in   state_m_policy_2_b_in    f32[3]
//   in   state_v_policy_2_b_in    f32[3]
//   in   loss_2                   f32[32,3]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   out  state_m_policy_2_b_out   f32[3]
//   out  state_v_policy_2_b_out   f32[3]
//   out  params_policy_2_b_out    f32[3]
//
//   sum_1                  = reduce(loss_2, 0), dimensions={0}, to_apply=add
//   state_m_policy_2_b_out = state_m_policy_2_b_in * 0.9 + sum_1 * 0.1
//   state_v_policy_2_b_out = state_v_policy_2_b_in * 0.999 + sum_1 * 0.001 * sum_1
//   denominator            = sqrt(state_v_policy_2_b_out / (1 - power_2)) + 1e-08
//   ratio                  = state_m_policy_2_b_out / (1 - power) / denominator
//   sum_2                  = ratio + params_policy_2_b_in * 0
//   params_policy_2_b_out  = params_policy_2_b_in - sum_2 * 3e-04
//
// One block of 32 threads. Reads 428 B, writes 36 B.
namespace minibatch_6 {

constexpr int kElements = 3;
constexpr int kTerms = 32;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: an _in and its _out, as params_policy_2_b_in and
// params_policy_2_b_out, may be one array; other parts of the launch write loss_2.
__device__ void run(const LossArrays::Minibatch6Arrays& arrays) {
  const auto& [params_policy_2_b_in, state_m_policy_2_b_in, state_v_policy_2_b_in, loss_2, power,
               power_2, state_m_policy_2_b_out, state_v_policy_2_b_out,
               params_policy_2_b_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  float sum_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_1 += loss_2[k * kElements + element];

  // adam
  const float state_m_policy_2_b_next = fmaf(sum_1, 0.1f, state_m_policy_2_b_in[element] * 0.9f);
  const float state_v_policy_2_b_next =
      fmaf(sum_1 * 0.001f, sum_1, state_v_policy_2_b_in[element] * 0.999f);

  // update
  const float params_policy_2_b_value = params_policy_2_b_in[element];
  const float ratio = state_m_policy_2_b_next / (1.0f - power[0]) /
                      (sqrtf(state_v_policy_2_b_next / (1.0f - power_2[0])) + 1e-8f);
  const float sum_2 = fmaf(params_policy_2_b_value, 0.0f, ratio);

  state_m_policy_2_b_out[element] = state_m_policy_2_b_next;
  state_v_policy_2_b_out[element] = state_v_policy_2_b_next;
  params_policy_2_b_out[element] = fmaf(-sum_2, 0.0003f, params_policy_2_b_value);
}

}  // namespace minibatch_6

constexpr int kThreads = 32;
constexpr int kBlocks = loss_2::kBlocks;

__global__ void __launch_bounds__(kThreads)
loss(const __grid_constant__ LossArrays arrays) {
  const int block = blockIdx.x;
  loss_2::run(block, arrays.loss_2);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  minibatch_6::run(arrays.minibatch_6);
}

}  // namespace

cudaError_t
enqueue(const LossArrays& arrays, cudaStream_t stream) {
  return launch(loss, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::loss
