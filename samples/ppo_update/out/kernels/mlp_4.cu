// mlp_4: 5 computations, in one launch whose last block to finish goes on alone.
//
//   mlp_9         2 blocks     dot, tanh, add over f32[32,16]
//   dense_2       last block   dot over f32[32,1]
//   max           last block   reduce, gather, dynamic-update-slice, exponential, log, ... over
//   f32[32]
//   sum           last block   reduce, gather, exponential, log, sqrt, ... over f32[32,3]
//   minibatch_4   last block   reduce, sqrt, subtract, multiply, add, ... over f32[3]
//
// 2 blocks of 256 threads.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"

namespace ppo_update_kernels::mlp_4 {
namespace {

// mlp_9: dot, tanh, add over f32[32,16].
//
//   in   params_value_1_b   f32[16]
//   in   params_value_1_w   f32[16,16]
//   in   x_3                f32[32,16]
//   out  x_5                f32[32,16]
//
//   sum = dot(x_3, params_value_1_w)
//   x_5 = tanh(sum + params_value_1_b)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 3.1 kB, writes 2.0 kB.
namespace mlp_9 {

constexpr int kM = 32;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 1
constexpr int kBlocks = kColumnTiles * kRowTiles;

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

// Not __restrict__: other parts of the launch read x_5.
__device__ void run(int block, const Mlp4Arrays::Mlp9Arrays& arrays) {
  const float* __restrict__ params_value_1_b = arrays.params_value_1_b;
  const float* __restrict__ params_value_1_w = arrays.params_value_1_w;
  const float* __restrict__ x_3 = arrays.x_3;
  float* x_5 = arrays.x_5;
  const int block_x = block % kColumnTiles;
  const int block_y = block / kColumnTiles;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = block_y * kTile + ty;
  const int column = block_x * kTile + tx;

  // x_part: a tile of each operand
  float sum = 0.0f;
  shared.lhs[ty][tx] = x_3[row * kK + tx];
  shared.rhs[ty][tx] = params_value_1_w[ty * kN + column];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  x_5[row * kN + column] = tanhf(sum + params_value_1_b[column]);
}

}  // namespace mlp_9

// dense_2: dot over f32[32,1].
//
//   in   params_value_2_w   f32[16,1]
//   in   x_5                f32[32,16]
//   out  dense_3_out        f32[32,1]
//
//   dense_3_out = dot(x_5, params_value_2_w)
//
// One block of 256 threads. Reads 2.1 kB, writes 128 B.
namespace dense_2 {

constexpr int kElements = 32;
constexpr int kTerms = 16;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: other parts of the launch write x_5; other parts of the launch read
// dense_3_out.
__device__ void run(const Mlp4Arrays::Dense2Arrays& arrays) {
  const auto& [params_value_2_w, x_5, dense_3_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  float dense_3 = 0.0f;
  for (int first_k = 0; first_k < kTerms; first_k += 4) {
    const Vector<float, 4> x_5_values = load_vector<4>(x_5 + (element * kTerms + first_k));
    const Vector<float, 4> params_value_2_w_values = load_vector<4>(params_value_2_w + first_k);
#pragma unroll
    for (int i = 0; i < 4; ++i) dense_3 = fmaf(x_5_values[i], params_value_2_w_values[i], dense_3);
  }

  dense_3_out[element] = dense_3;
}

}  // namespace dense_2

// max: reduce, gather, dynamic-update-slice, exponential, log, ... over f32[32].
//
//   in   params_policy_2_b       f32[3]
//   in   params_value_2_b_in     f32[1]
//   in   state_m_value_2_b_in    f32[1]
//   in   state_step_in           s32[]
//   in   state_v_value_2_b_in    f32[1]
//   in   picked                  s32[4,32]
//   in   picked_2 .. picked_4    f32[4,32]
//   in   dense_2                 f32[32,3]
//   in   dense_3                 f32[32,1]
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
// One block of 256 threads; the row stays in registers. Reads 1.1 kB (dense_2 twice), writes 292 B.
namespace max {

constexpr int kColumns = 32;
constexpr int kThreads = 256;

// No pointer is __restrict__: an _in and its _out, as params_value_2_b_in and params_value_2_b_out,
// may be one array; other parts of the launch write params_policy_2_b and dense_3; other parts of
// the launch read max_out, weight_sum_out, sum_3_out and 3 more.
__device__ void run(const Mlp4Arrays::MaxArrays& arrays) {
  const auto& [params_policy_2_b, params_value_2_b_in, state_m_value_2_b_in, state_step_in,
               state_v_value_2_b_in, picked, picked_2, picked_3, picked_4, dense_2, dense_3,
               max_out, weight_sum_out, sum_3_out, square_sum_out, state_step_out, power_out,
               power_2_out, state_m_value_2_b_out, state_v_value_2_b_out, params_value_2_b_out,
               difference, t] = arrays;
  const int column = threadIdx.x;

  const float params_value_2_b_value = params_value_2_b_in[0];
  const int state_step_value = state_step_in[0];
  const float state_m_value_2_b_value = state_m_value_2_b_in[0];
  const float state_v_value_2_b_value = state_v_value_2_b_in[0];
  const float params_policy_2_b_value_1 = params_policy_2_b[0];
  const float params_policy_2_b_value_2 = params_policy_2_b[1];
  const float params_policy_2_b_value_3 = params_policy_2_b[2];

  // log_sum_value, sum_3, product_sum_1, distance_squared, product_sum_2, max_out, weight_sum_out
  float sum_3 = 0.0f;
  float product_sum_1 = 0.0f;
  float distance_squared = 0.0f;
  float product_sum_2 = 0.0f;
  float picked_3_value, log_sum_value, dense_2_value_1, dense_2_value_2, dense_2_value_3;
  if (column < kColumns) {
    const int index_1 = t * kColumns + column;
    picked_3_value = picked_3[index_1];
    dense_2_value_1 = dense_2[column * 3 + 2];
    dense_2_value_2 = dense_2[column * 3 + 1];
    dense_2_value_3 = dense_2[column * 3];
    const float sum_1_1 = dense_2_value_3 + params_policy_2_b_value_1;
    const float sum_1_2 = dense_2_value_2 + params_policy_2_b_value_2;
    const float sum_1_3 = dense_2_value_1 + params_policy_2_b_value_3;
    const float max_1 = maximum(sum_1_1, sum_1_2, sum_1_3);
    const float shifted_1 = sum_1_1 - max_1;
    const float shifted_2 = sum_1_2 - max_1;
    const float shifted_3 = sum_1_3 - max_1;
    const float weight_sum = expf(shifted_1) + expf(shifted_2) + expf(shifted_3);
    log_sum_value = logf(weight_sum);
    const float log_probability_1 = shifted_1 - log_sum_value;
    const float log_probability_2 = shifted_2 - log_sum_value;
    const float log_probability_3 = shifted_3 - log_sum_value;
    const float difference_1 = dense_3[column] + params_value_2_b_value - picked_4[index_1];
    const float product_1_1 = expf(log_probability_1) * log_probability_1;
    const float product_1_2 = expf(log_probability_2) * log_probability_2;
    max_out[column] = max_1;
    weight_sum_out[column] = weight_sum;
    sum_3 += picked_3_value;
    product_sum_1 += difference_1 * 2.0f * 0.015625f;
    distance_squared += difference_1 * difference_1;
    product_sum_2 += 0.0f + product_1_1 + product_1_2 + expf(log_probability_3) * log_probability_3;
  }
  sum_3 = block_reduce<kThreads>(sum_3, Add());
  product_sum_1 = block_reduce<kThreads>(product_sum_1, Add());
  distance_squared = block_reduce<kThreads>(distance_squared, Add());
  product_sum_2 = block_reduce<kThreads>(product_sum_2, Add());
  const float mean_1 = sum_3 / 32.0f;
  const float mean_2 = sum_3 / 32.0f;

  // square_sum
  float square_sum = 0.0f;
  if (column < kColumns) {
    const float deviation = picked_3_value - mean_2;
    square_sum += deviation * deviation;
  }
  square_sum = block_reduce<kThreads>(square_sum, Add());
  const float denominator = sqrtf(square_sum / 32.0f) + 1e-8f;

  // sum_2
  float sum_2 = 0.0f;
  if (column < kColumns) {
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
  }
  sum_2 = block_reduce<kThreads>(sum_2, Add());
  const float sum_4 = fmaf(distance_squared / 32.0f, 0.5f, -(sum_2 / 32.0f));
  const int state_step_next = state_step_value + 1;
  const float state_m_value_2_b_next = fmaf(product_sum_1, 0.1f, state_m_value_2_b_value * 0.9f);
  const float v_term = state_v_value_2_b_value * 0.999f;
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
    difference[t] = fmaf(product_sum_2 / 32.0f, 0.01f, sum_4);
  }
}

}  // namespace max

// sum: reduce, gather, exponential, log, sqrt, ... over f32[32,3].
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
//   out  sum_4               f32[32,3]
//
//   sum   = reduce(negated, 0), dimensions={1}, to_apply=add
//   sum_4 = sum_2 + broadcast(sum_5) * exponential(shifted)
//   Not shown: shifted, sum_2, negated, sum_5.
//
// One block of 256 threads. Reads 1.0 kB, writes 384 B.
namespace sum {

constexpr int kRows = 32;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: other parts of the launch write params_policy_2_b, max, weight_sum
// and 2 more; other parts of the launch read sum_4.
__device__ void run(const Mlp4Arrays::SumArrays& arrays) {
  const auto& [params_policy_2_b, picked, picked_2, picked_3, dense_2, max, weight_sum, sum_3,
               square_sum, sum_4, t] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = t * kRows + row;

  // loss
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

  // loss
  const float product_6 = fmaf(scaled_2, ratio, product_5) * exponential_1;
  const float sum_1_1 = fmaf(scaled_1_1, exponential_2_1, exponential_2_1 * 0.0003125f);
  const float sum_2 = sum_1_1 + (column == wrapped ? 0.0f + product_6 : 0.0f);
  const float sum_1_2 = fmaf(scaled_1_2, exponential_2_2, exponential_2_2 * 0.0003125f);
  const float negated_1 = -(sum_1_2 + (0 == wrapped ? 0.0f + product_6 : 0.0f));
  const float sum_1_3 = fmaf(scaled_1_3, exponential_2_3, exponential_2_3 * 0.0003125f);
  const float negated_2 = -(sum_1_3 + (1 == wrapped ? 0.0f + product_6 : 0.0f));
  const float sum_1_4 = fmaf(scaled_1_4, exponential_2_4, exponential_2_4 * 0.0003125f);
  const float negated_3 = -(sum_1_4 + (2 == wrapped ? 0.0f + product_6 : 0.0f));
  const float sum_5 = 0.0f + (0.0f + negated_1 + negated_2 + negated_3) / weight_sum_value;

  sum_4[element] = fmaf(sum_5, expf(shifted_1), sum_2);
}

}  // namespace sum

// minibatch_4: reduce, sqrt, subtract, multiply, add, ... over f32[3].
//
//   in   params_policy_2_b_in     f32[3]
//   in   state_m_policy_2_b_in    f32[3]
//   in   state_v_policy_2_b_in    f32[3]
//   in   sum_4                    f32[32,3]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   out  state_m_policy_2_b_out   f32[3]
//   out  state_v_policy_2_b_out   f32[3]
//   out  params_policy_2_b_out    f32[3]
//
//   sum_1                  = reduce(sum_4, 0), dimensions={0}, to_apply=add
//   state_m_policy_2_b_out = state_m_policy_2_b_in * 0.9 + sum_1 * 0.1
//   state_v_policy_2_b_out = state_v_policy_2_b_in * 0.999 + sum_1 * 0.001 * sum_1
//   denominator            = sqrt(state_v_policy_2_b_out / (1 - power_2)) + 1e-08
//   ratio                  = state_m_policy_2_b_out / (1 - power) / denominator
//   sum_2                  = ratio + params_policy_2_b_in * 0
//   params_policy_2_b_out  = params_policy_2_b_in - sum_2 * 3e-04
//
// One block of 256 threads. Reads 428 B, writes 36 B.
namespace minibatch_4 {

constexpr int kElements = 3;
constexpr int kTerms = 32;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: an _in and its _out, as params_policy_2_b_in and
// params_policy_2_b_out, may be one array; other parts of the launch write sum_4, power and
// power_2.
__device__ void run(const Mlp4Arrays::Minibatch4Arrays& arrays) {
  const auto& [params_policy_2_b_in, state_m_policy_2_b_in, state_v_policy_2_b_in, sum_4, power,
               power_2, state_m_policy_2_b_out, state_v_policy_2_b_out,
               params_policy_2_b_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  float sum_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_1 += sum_4[k * kElements + element];

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

}  // namespace minibatch_4

constexpr int kThreads = 256;
constexpr int kBlocks = mlp_9::kBlocks;

__global__ void __launch_bounds__(kThreads)
mlp_4(const __grid_constant__ Mlp4Arrays arrays) {
  const int block = blockIdx.x;
  mlp_9::run(block, arrays.mlp_9);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  dense_2::run(arrays.dense_2);
  __syncthreads();
  max::run(arrays.max);
  __syncthreads();
  sum::run(arrays.sum);
  __syncthreads();
  minibatch_4::run(arrays.minibatch_4);
}

}  // namespace

cudaError_t
enqueue(const Mlp4Arrays& arrays, cudaStream_t stream) {
  return launch(mlp_4, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::mlp_4
