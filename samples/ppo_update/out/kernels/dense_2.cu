// dense_2: 2 computations, in one launch, one after the other.
//
//   dense   1 block   dot over f32[32,1]
//   loss    then      reduce, gather, dynamic-update-slice, exponential, log, ... over f32[32]
//
// One block of 32 threads.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels::dense_2 {
namespace {

// dense: dot over f32[32,1].
//
//   in   params_value_2_w   f32[16,1]
//   in   x                  f32[32,16]
//   out  dot_out            f32[32,1]
//
//   dot_out = dot(x, params_value_2_w)
//
// One block of 32 threads. Reads 2.1 kB, writes 128 B.
namespace dense {

constexpr int kElements = 32;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements == kThreads, "a thread of the one block has an element");

__device__ void run(const Dense2Arrays::DenseArrays& arrays) {
  const float* __restrict__ params_value_2_w = arrays.params_value_2_w;
  const float* __restrict__ x = arrays.x;
  float* dot_out = arrays.dot_out;
  const int element = threadIdx.x;

  float dot = 0.0f;
  for (int k = 0; k < 16; ++k) dot = fmaf(x[element * 16 + k], params_value_2_w[k], dot);

  dot_out[element] = dot;
}

}  // namespace dense

// loss: reduce, gather, dynamic-update-slice, exponential, log, ... over f32[32].
//
//   in   params_policy_2_b        f32[3]
//   in   params_value_2_b_in      f32[1]
//   in   state_m_value_2_b_in     f32[1]
//   in   state_step_in            s32[]
//   in   state_v_value_2_b_in     f32[1]
//   in   reshape                  s32[4,32]
//   in   reshape_1 .. reshape_3   f32[4,32]
//   in   dot                      f32[32,3]
//   in   dot_1                    f32[32,1]
//   out  max_out                  f32[32]
//   out  sum_1_out                f32[32]
//   out  sum_2_out                f32[]
//   out  sum_3_out                f32[]
//   out  state_step_out           s32[]
//   out  power_1_out              f32[]
//   out  power_2_out              f32[]
//   out  state_m_value_2_b_out    f32[1]
//   out  state_v_value_2_b_out    f32[1]
//   out  params_value_2_b_out     f32[1]
//   out  sub                      f32[4]
//
//   log_value, sum_2, sum_4, sum_5, sum_6, max_out, sum_1_out
//   sum_3
//   sum_7
//
// One block of 32 threads; the row stays in registers. Reads 1.1 kB, writes 292 B.
namespace loss {

constexpr int kColumns = 32;
constexpr int kThreads = 32;

__device__ void run(const Dense2Arrays::LossArrays& arrays) {
  const float* __restrict__ params_policy_2_b = arrays.params_policy_2_b;
  const float* params_value_2_b_in = arrays.params_value_2_b_in;
  const float* state_m_value_2_b_in = arrays.state_m_value_2_b_in;
  const int* state_step_in = arrays.state_step_in;
  const float* state_v_value_2_b_in = arrays.state_v_value_2_b_in;
  const int* __restrict__ reshape = arrays.reshape;
  const float* __restrict__ reshape_1 = arrays.reshape_1;
  const float* __restrict__ reshape_2 = arrays.reshape_2;
  const float* __restrict__ reshape_3 = arrays.reshape_3;
  const float* __restrict__ dot = arrays.dot;
  const float* dot_1 = arrays.dot_1;
  float* __restrict__ max_out = arrays.max_out;
  float* __restrict__ sum_1_out = arrays.sum_1_out;
  float* __restrict__ sum_2_out = arrays.sum_2_out;
  float* __restrict__ sum_3_out = arrays.sum_3_out;
  int* state_step_out = arrays.state_step_out;
  float* __restrict__ power_1_out = arrays.power_1_out;
  float* __restrict__ power_2_out = arrays.power_2_out;
  float* state_m_value_2_b_out = arrays.state_m_value_2_b_out;
  float* state_v_value_2_b_out = arrays.state_v_value_2_b_out;
  float* params_value_2_b_out = arrays.params_value_2_b_out;
  float* __restrict__ sub = arrays.sub;
  int t = arrays.t;
  const int column = threadIdx.x;

  const float params_policy_2_b_value_1 = params_policy_2_b[0];
  const float params_policy_2_b_value_2 = params_policy_2_b[1];
  const float params_policy_2_b_value_3 = params_policy_2_b[2];
  const float params_value_2_b_value = params_value_2_b_in[0];

  // log_value, sum_2, sum_4, sum_5, sum_6, max_out, sum_1_out
  float sum_2 = 0.0f;
  float sum_4 = 0.0f;
  float sum_5 = 0.0f;
  float sum_6 = 0.0f;
  const int index_1 = t * kColumns + column;
  const float reshape_2_value = reshape_2[index_1];
  const float dot_value_1 = dot[column * 3 + 2];
  const float dot_value_2 = dot[column * 3 + 1];
  const float dot_value_3 = dot[column * 3];
  const float add_1 = dot_value_3 + params_policy_2_b_value_1;
  const float add_2 = dot_value_2 + params_policy_2_b_value_2;
  const float add_3 = dot_value_1 + params_policy_2_b_value_3;
  const float max_1 = maximum(add_1, add_2, add_3);
  const float sub_1 = add_1 - max_1;
  const float sub_2 = add_2 - max_1;
  const float sub_3 = add_3 - max_1;
  const float sum_1 = expf(sub_1) + expf(sub_2) + expf(sub_3);
  const float log_value = logf(sum_1);
  const float sub_4 = sub_1 - log_value;
  const float sub_5 = sub_2 - log_value;
  const float sub_6 = sub_3 - log_value;
  const float sub_7 = dot_1[column] + params_value_2_b_value - reshape_3[index_1];
  max_out[column] = max_1;
  sum_1_out[column] = sum_1;
  sum_2 += reshape_2_value;
  sum_4 += sub_7 * 2.0f * 0.015625f;
  sum_5 += sub_7 * sub_7;
  sum_6 += 0.0f + expf(sub_4) * sub_4 + expf(sub_5) * sub_5 + expf(sub_6) * sub_6;
  sum_2 = block_reduce<kThreads>(sum_2, Add());
  sum_4 = block_reduce<kThreads>(sum_4, Add());
  sum_5 = block_reduce<kThreads>(sum_5, Add());
  sum_6 = block_reduce<kThreads>(sum_6, Add());
  const float div_1 = sum_2 / 32.0f;
  const float div_2 = sum_2 / 32.0f;

  // sum_3
  float sum_3 = 0.0f;
  const float sub_8 = reshape_2_value - div_2;
  sum_3 += sub_8 * sub_8;
  sum_3 = block_reduce<kThreads>(sum_3, Add());
  const float add_4 = sqrtf(sum_3 / 32.0f) + 1e-8f;

  // sum_7
  float sum_7 = 0.0f;
  const int index_2 = t * kColumns + column;
  const float add_5 = dot_value_3 + params_policy_2_b_value_1;
  const float add_6 = dot_value_2 + params_policy_2_b_value_2;
  const float max_2 = maximum(add_5, add_6, dot_value_1 + params_policy_2_b_value_3);
  const int reshape_value = reshape[index_2];
  const int select = reshape_value < 0 ? reshape_value + 3 : reshape_value;
  const int start = minimum(maximum(select, 0), 2);
  const float sub_9 = dot[column * 3 + start] + params_policy_2_b[start] - max_2 - log_value;
  const float exponential = expf((select >= 0 && select <= 2 ? sub_9 : NAN) - reshape_1[index_2]);
  const float div_3 = (reshape_2_value - div_1) / add_4;
  const float mul_1 = minimum(1.2f, maximum(0.8f, exponential)) * div_3;
  sum_7 += minimum(exponential * div_3, mul_1);
  sum_7 = block_reduce<kThreads>(sum_7, Add());
  const float reduce_sum = 0.0f + sum_4;
  const int state_step_next = state_step_in[0] + 1;
  const float state_m_value_2_b_next = fmaf(reduce_sum, 0.1f, state_m_value_2_b_in[0] * 0.9f);
  const float mul_2 = state_v_value_2_b_in[0] * 0.999f;
  const float state_v_value_2_b_next = fmaf(reduce_sum * 0.001f, reduce_sum, mul_2);
  const float convert = float(state_step_next);
  const float power_1 = powf(0.9f, convert);
  const float power_2 = powf(0.999f, convert);
  const float div_4 = state_m_value_2_b_next / (1.0f - power_1) /
                      (sqrtf(state_v_value_2_b_next / (1.0f - power_2)) + 1e-8f);
  const float add_7 = fmaf(params_value_2_b_value, 0.0f, div_4);

  if (column == 0) {
    sum_2_out[0] = sum_2;
    sum_3_out[0] = sum_3;
    state_step_out[0] = state_step_next;
    power_1_out[0] = power_1;
    power_2_out[0] = power_2;
    state_m_value_2_b_out[0] = state_m_value_2_b_next;
    state_v_value_2_b_out[0] = state_v_value_2_b_next;
    params_value_2_b_out[0] = fmaf(-add_7, 0.0003f, params_value_2_b_value);
    sub[t] = fmaf(-(-(sum_6 / 32.0f)), 0.01f, fmaf(sum_5 / 32.0f, 0.5f, -(sum_7 / 32.0f)));
  }
}

}  // namespace loss

constexpr int kThreads = 32;
constexpr int kBlocks = dense::kBlocks;

__global__ void __launch_bounds__(kThreads)
dense_2(const __grid_constant__ Dense2Arrays arrays) {
  dense::run(arrays.dense);

  __syncthreads();
  loss::run(arrays.loss);
}

}  // namespace

cudaError_t
enqueue(const Dense2Arrays& arrays, cudaStream_t stream) {
  return launch(dense_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::dense_2
