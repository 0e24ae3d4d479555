// dense_3: 2 computations, in one launch, one after the other.
//
//   dense_4   1 block   dot over f32[32,1]
//   loss_2    then      reduce, gather, dynamic-update-slice, exponential, log, ... over f32[32]
//
// One block of 32 threads.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"

namespace ppo_update_kernels::dense_3 {
namespace {

// dense_4: dot over f32[32,1].
//
//   in   params_value_2_w   f32[16,1]
//   in   x_5                f32[32,16]
//   out  dense_4_out        f32[32,1]
//
//   dense_4_out = dot(x_5, params_value_2_w)
//
// One block of 32 threads. Reads 2.1 kB, writes 128 B.
namespace dense_4 {

constexpr int kElements = 32;
constexpr int kTerms = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements == kThreads, "a thread of the one block has an element");

// Not __restrict__: other parts of the launch read dense_4_out.
__device__ void run(const Dense3Arrays::Dense4Arrays& arrays) {
  const float* __restrict__ params_value_2_w = arrays.params_value_2_w;
  const float* __restrict__ x_5 = arrays.x_5;
  float* dense_4_out = arrays.dense_4_out;
  const int element = threadIdx.x;

  float dense_4 = 0.0f;
  for (int first_k = 0; first_k < kTerms; first_k += 4) {
    const Vector<float, 4> x_5_values = load_vector<4>(x_5 + (element * kTerms + first_k));
    const Vector<float, 4> params_value_2_w_values = load_vector<4>(params_value_2_w + first_k);
#pragma unroll
    for (int i = 0; i < 4; ++i) dense_4 = fmaf(x_5_values[i], params_value_2_w_values[i], dense_4);
  }

  dense_4_out[element] = dense_4;
}

}  // namespace dense_4

// loss_2: reduce, gather, dynamic-update-slice, exponential, log, ... over f32[32].
//
//   in   params_policy_2_b       f32[3]
//   in   params_value_2_b_in     f32[1]
//   in   state_m_value_2_b_in    f32[1]
//   in   state_step_in           s32[]
//   in   state_v_value_2_b_in    f32[1]
//   in   picked                  s32[4,32]
//   in   picked_2 .. picked_4    f32[4,32]
//   in   dense_2                 f32[32,3]
//   in   dense_4                 f32[32,1]
//   out  max_out                 f32[32]
//   out  weight_sum_out          f32[32]
//   out  sum_3_out               f32[]
//   out  square_sum_out          f32[]
//   out  state_step_out          s32[]
//   out  power_out               f32[]
//   out  power_2_out             f32[]
//   out  state_m_value_2_b_out   f32[1]
//   out  state_v_value_2_b_out   f32[1]
//   out  params_value_2_b_out    f32[1]
//   out  difference              f32[4]
//
//   max_out               = reduce(sum_1, -inf), dimensions={1}, to_apply=maximum
//   weight_sum_out        = reduce(exponential(shifted), 0), dimensions={1}, to_apply=add
//   sum_3_out             = reduce(picked_3[t,:], 0), dimensions={0}, to_apply=add
//   square_sum_out        = reduce(deviation * deviation, 0), dimensions={0}, to_apply=add
//   state_step_out        = state_step_in + 1
//   power_out             = power(0.9, step_value_float)
//   power_2_out           = power(0.999, step_value_float)
//   product_sum_1         = reduce(difference_1 * 2 * 0.015625, 0), dimensions={0}, to_apply=add
//   state_m_value_2_b_out = state_m_value_2_b_in * 0.9 + product_sum_1 * 0.1
//   state_v_value_2_b_out = v_term + product_sum_1 * 0.001 * product_sum_1
//   params_value_2_b_out  = params_value_2_b_in - sum_5 * 3e-04
//   sum_2                 = reduce(minimum(exponential * ratio_1, product_2), 0), dimensions={0},
//                           to_apply=add
//   distance_squared      = reduce(difference_1 * difference_1, 0), dimensions={0}, to_apply=add
//   partial_product_sum   = reduce(product_1, 0), dimensions={1}, to_apply=add
//   product_sum_2         = reduce(partial_product_sum, 0), dimensions={0}, to_apply=add
//   difference            = difference, with [t] replaced by sum_4 - -(product_sum_2 / 32) * 0.01
//   Not shown: sum_1, shifted, exponential, deviation, ratio_1, product_2, step_value_float,
//   difference_1, ...
//
// One block of 32 threads; the row stays in registers. Reads 1.1 kB (dense_2 twice), writes 292 B.
namespace loss_2 {

constexpr int kColumns = 32;
constexpr int kThreads = 32;

// No pointer is __restrict__: an _in and its _out, as params_value_2_b_in and params_value_2_b_out,
// may be one array; other parts of the launch write dense_4.
__device__ void run(const Dense3Arrays::Loss2Arrays& arrays) {
  const auto& [params_policy_2_b, params_value_2_b_in, state_m_value_2_b_in, state_step_in,
               state_v_value_2_b_in, picked, picked_2, picked_3, picked_4, dense_2, dense_4,
               max_out, weight_sum_out, sum_3_out, square_sum_out, state_step_out, power_out,
               power_2_out, state_m_value_2_b_out, state_v_value_2_b_out, params_value_2_b_out,
               difference, t] = arrays;
  const int column = threadIdx.x;

  const float params_policy_2_b_value_1 = params_policy_2_b[0];
  const float params_policy_2_b_value_2 = params_policy_2_b[1];
  const float params_policy_2_b_value_3 = params_policy_2_b[2];
  const float params_value_2_b_value = params_value_2_b_in[0];

  // log_sum_value, sum_3, product_sum_1, distance_squared, product_sum_2, max_out, weight_sum_out
  float sum_3 = 0.0f;
  float product_sum_1 = 0.0f;
  float distance_squared = 0.0f;
  float product_sum_2 = 0.0f;
  const int index_1 = t * kColumns + column;
  const float picked_3_value = picked_3[index_1];
  const float dense_2_value_1 = dense_2[column * 3 + 2];
  const float dense_2_value_2 = dense_2[column * 3 + 1];
  const float dense_2_value_3 = dense_2[column * 3];
  const float sum_1_1 = dense_2_value_3 + params_policy_2_b_value_1;
  const float sum_1_2 = dense_2_value_2 + params_policy_2_b_value_2;
  const float sum_1_3 = dense_2_value_1 + params_policy_2_b_value_3;
  const float max_1 = maximum(sum_1_1, sum_1_2, sum_1_3);
  const float shifted_1 = sum_1_1 - max_1;
  const float shifted_2 = sum_1_2 - max_1;
  const float shifted_3 = sum_1_3 - max_1;
  const float weight_sum = expf(shifted_1) + expf(shifted_2) + expf(shifted_3);
  const float log_sum_value = logf(weight_sum);
  const float log_probability_1 = shifted_1 - log_sum_value;
  const float log_probability_2 = shifted_2 - log_sum_value;
  const float log_probability_3 = shifted_3 - log_sum_value;
  const float difference_1 = dense_4[column] + params_value_2_b_value - picked_4[index_1];
  const float product_1_1 = expf(log_probability_1) * log_probability_1;
  const float product_1_2 = expf(log_probability_2) * log_probability_2;
  max_out[column] = max_1;
  weight_sum_out[column] = weight_sum;
  sum_3 += picked_3_value;
  product_sum_1 += difference_1 * 2.0f * 0.015625f;
  distance_squared += difference_1 * difference_1;
  product_sum_2 += 0.0f + product_1_1 + product_1_2 + expf(log_probability_3) * log_probability_3;
  sum_3 = block_reduce<kThreads>(sum_3, Add());
  product_sum_1 = block_reduce<kThreads>(product_sum_1, Add());
  distance_squared = block_reduce<kThreads>(distance_squared, Add());
  product_sum_2 = block_reduce<kThreads>(product_sum_2, Add());
  const float mean_1 = sum_3 / 32.0f;
  const float mean_2 = sum_3 / 32.0f;

  // square_sum
  float square_sum = 0.0f;
  const float deviation = picked_3_value - mean_2;
  square_sum += deviation * deviation;
  square_sum = block_reduce<kThreads>(square_sum, Add());
  const float denominator = sqrtf(square_sum / 32.0f) + 1e-8f;

  // sum_2
  float sum_2 = 0.0f;
  const int index_2 = t * kColumns + column;
  const float sum_1_4 = dense_2_value_3 + params_policy_2_b_value_1;
  const float sum_1_5 = dense_2_value_2 + params_policy_2_b_value_2;
  const float max_2 = maximum(sum_1_4, sum_1_5, dense_2_value_1 + params_policy_2_b_value_3);
  const int picked_value = picked[index_2];
  const int wrapped = picked_value < 0 ? picked_value + 3 : picked_value;
  const int start = minimum(maximum(wrapped, 0), 2);
  const float shifted_4 = dense_2[column * 3 + start] + params_policy_2_b[start] - max_2;
  const float chosen = wrapped >= 0 && wrapped <= 2 ? shifted_4 - log_sum_value : NAN;
  const float exponential = expf(chosen - picked_2[index_2]);
  const float ratio_1 = (picked_3_value - mean_1) / denominator;
  const float product_2 = minimum(1.2f, maximum(0.8f, exponential)) * ratio_1;
  sum_2 += minimum(exponential * ratio_1, product_2);
  sum_2 = block_reduce<kThreads>(sum_2, Add());
  const float sum_4 = fmaf(distance_squared / 32.0f, 0.5f, -(sum_2 / 32.0f));
  const int state_step_next = state_step_in[0] + 1;
  const float state_m_value_2_b_next = fmaf(product_sum_1, 0.1f, state_m_value_2_b_in[0] * 0.9f);
  const float v_term = state_v_value_2_b_in[0] * 0.999f;
  const float state_v_value_2_b_next = fmaf(product_sum_1 * 0.001f, product_sum_1, v_term);
  const float step_value_float = float(state_step_next);
  const float power = powf(0.9f, step_value_float);
  const float power_2 = powf(0.999f, step_value_float);
  const float ratio_2 = state_m_value_2_b_next / (1.0f - power) /
                        (sqrtf(state_v_value_2_b_next / (1.0f - power_2)) + 1e-8f);
  const float sum_5 = fmaf(params_value_2_b_value, 0.0f, ratio_2);

  if (column == 0) {
    sum_3_out[0] = sum_3;
    square_sum_out[0] = square_sum;
    state_step_out[0] = state_step_next;
    power_out[0] = power;
    power_2_out[0] = power_2;
    state_m_value_2_b_out[0] = state_m_value_2_b_next;
    state_v_value_2_b_out[0] = state_v_value_2_b_next;
    params_value_2_b_out[0] = fmaf(-sum_5, 0.0003f, params_value_2_b_value);
    difference[t] = fmaf(-(-(product_sum_2 / 32.0f)), 0.01f, sum_4);
  }
}

}  // namespace loss_2

constexpr int kThreads = 32;
constexpr int kBlocks = dense_4::kBlocks;

__global__ void __launch_bounds__(kThreads)
dense_3(const __grid_constant__ Dense3Arrays arrays) {
  dense_4::run(arrays.dense_4);

  __syncthreads();
  loss_2::run(arrays.loss_2);
}

}  // namespace

cudaError_t
enqueue(const Dense3Arrays& arrays, cudaStream_t stream) {
  return launch(dense_3, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::dense_3
