// minibatch_4: dot, reduce, sqrt, multiply, add, ... over f32[16].
//
//   in   params_policy_0_b_in     f32[16]
//   in   params_policy_1_b_in     f32[16]
//   in   params_value_0_b_in      f32[16]
//   in   params_value_1_b_in      f32[16]
//   in   params_value_2_b         f32[1]
//   in   params_value_2_w_in      f32[16,1]
//   in   state_m_policy_0_b_in    f32[16]
//   in   state_m_policy_1_b_in    f32[16]
//   in   state_m_value_0_b_in     f32[16]
//   in   state_m_value_1_b_in     f32[16]
//   in   state_m_value_2_w_in     f32[16,1]
//   in   state_v_policy_0_b_in    f32[16]
//   in   state_v_policy_1_b_in    f32[16]
//   in   state_v_value_0_b_in     f32[16]
//   in   state_v_value_1_b_in     f32[16]
//   in   state_v_value_2_w_in     f32[16,1]
//   in   reshape                  f32[4,32]
//   in   add_any                  f32[32,16]
//   in   power                    f32[]
//   in   power_1                  f32[]
//   in   add_any_1 .. add_any_3   f32[32,16]
//   in   dot                      f32[32,1]
//   in   x                        f32[32,16]
//   out  state_m_policy_0_b_out   f32[16]
//   out  state_v_policy_0_b_out   f32[16]
//   out  params_policy_0_b_out    f32[16]
//   out  state_m_policy_1_b_out   f32[16]
//   out  state_v_policy_1_b_out   f32[16]
//   out  params_policy_1_b_out    f32[16]
//   out  state_m_value_0_b_out    f32[16]
//   out  state_v_value_0_b_out    f32[16]
//   out  params_value_0_b_out     f32[16]
//   out  state_m_value_1_b_out    f32[16]
//   out  state_v_value_1_b_out    f32[16]
//   out  params_value_1_b_out     f32[16]
//   out  state_m_value_2_w_out    f32[16,1]
//   out  state_v_value_2_w_out    f32[16,1]
//   out  params_value_2_w_out     f32[16,1]
//
//   dense   reduce_sum_1 .. reduce_sum_4, dot_1
//   adam    state_m_policy_0_b_next, state_m_policy_1_b_next, state_m_value_0_b_next,
//           state_m_value_1_b_next, state_m_value_2_w_next, state_v_policy_0_b_next,
//           state_v_policy_1_b_next, state_v_value_0_b_next, ...
//   update  params_policy_0_b_out, params_policy_1_b_out, params_value_0_b_out,
//           params_value_1_b_out, params_value_2_w_out
//
// One block of 32 threads. Reads 11.5 kB, writes 960 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::minibatch_4 {
namespace {

constexpr int kElements = 16;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__global__ void __launch_bounds__(kThreads)
minibatch_4(const float* params_policy_0_b_in,
            const float* params_policy_1_b_in,
            const float* params_value_0_b_in,
            const float* params_value_1_b_in,
            const float* __restrict__ params_value_2_b,
            const float* params_value_2_w_in,
            const float* state_m_policy_0_b_in,
            const float* state_m_policy_1_b_in,
            const float* state_m_value_0_b_in,
            const float* state_m_value_1_b_in,
            const float* state_m_value_2_w_in,
            const float* state_v_policy_0_b_in,
            const float* state_v_policy_1_b_in,
            const float* state_v_value_0_b_in,
            const float* state_v_value_1_b_in,
            const float* state_v_value_2_w_in,
            const float* __restrict__ reshape,
            const float* __restrict__ add_any,
            const float* __restrict__ power,
            const float* __restrict__ power_1,
            const float* __restrict__ add_any_1,
            const float* __restrict__ add_any_2,
            const float* __restrict__ add_any_3,
            const float* __restrict__ dot,
            const float* __restrict__ x,
            float* state_m_policy_0_b_out,
            float* state_v_policy_0_b_out,
            float* params_policy_0_b_out,
            float* state_m_policy_1_b_out,
            float* state_v_policy_1_b_out,
            float* params_policy_1_b_out,
            float* state_m_value_0_b_out,
            float* state_v_value_0_b_out,
            float* params_value_0_b_out,
            float* state_m_value_1_b_out,
            float* state_v_value_1_b_out,
            float* params_value_1_b_out,
            float* state_m_value_2_w_out,
            float* state_v_value_2_w_out,
            float* params_value_2_w_out,
            int t) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  float sum_1 = 0.0f;
  for (int k = 0; k < 32; ++k) sum_1 += add_any[k * 16 + element];
  const float reduce_sum_1 = 0.0f + sum_1;
  float sum_2 = 0.0f;
  for (int k = 0; k < 32; ++k) sum_2 += add_any_1[k * 16 + element];
  const float reduce_sum_2 = 0.0f + sum_2;
  float sum_3 = 0.0f;
  for (int k = 0; k < 32; ++k) sum_3 += add_any_2[k * 16 + element];
  const float reduce_sum_3 = 0.0f + sum_3;
  float sum_4 = 0.0f;
  for (int k = 0; k < 32; ++k) sum_4 += add_any_3[k * 16 + element];
  const float reduce_sum_4 = 0.0f + sum_4;
  const float params_value_2_b_value = params_value_2_b[0];
  float dot_1 = 0.0f;
  for (int k = 0; k < 32; ++k) {
    const float mul_1 = (dot[k] + params_value_2_b_value - reshape[t * 32 + k]) * 2.0f;
    dot_1 = fmaf(mul_1 * 0.015625f, x[k * 16 + element], dot_1);
  }

  // adam
  const float state_m_policy_0_b_next =
      fmaf(reduce_sum_1, 0.1f, state_m_policy_0_b_in[element] * 0.9f);
  const float state_m_policy_1_b_next =
      fmaf(reduce_sum_2, 0.1f, state_m_policy_1_b_in[element] * 0.9f);
  const float state_m_value_0_b_next =
      fmaf(reduce_sum_3, 0.1f, state_m_value_0_b_in[element] * 0.9f);
  const float state_m_value_1_b_next =
      fmaf(reduce_sum_4, 0.1f, state_m_value_1_b_in[element] * 0.9f);
  const float state_m_value_2_w_next = fmaf(dot_1, 0.1f, state_m_value_2_w_in[element] * 0.9f);
  const float mul_2 = state_v_policy_0_b_in[element] * 0.999f;
  const float state_v_policy_0_b_next = fmaf(reduce_sum_1 * 0.001f, reduce_sum_1, mul_2);
  const float mul_3 = state_v_policy_1_b_in[element] * 0.999f;
  const float state_v_policy_1_b_next = fmaf(reduce_sum_2 * 0.001f, reduce_sum_2, mul_3);
  const float mul_4 = state_v_value_0_b_in[element] * 0.999f;
  const float state_v_value_0_b_next = fmaf(reduce_sum_3 * 0.001f, reduce_sum_3, mul_4);
  const float mul_5 = state_v_value_1_b_in[element] * 0.999f;
  const float state_v_value_1_b_next = fmaf(reduce_sum_4 * 0.001f, reduce_sum_4, mul_5);
  const float state_v_value_2_w_next =
      fmaf(dot_1 * 0.001f, dot_1, state_v_value_2_w_in[element] * 0.999f);
  const float correct1 = 1.0f - power[0];
  const float correct2 = 1.0f - power_1[0];

  // update
  const float params_policy_0_b_value = params_policy_0_b_in[element];
  const float div_1 =
      state_m_policy_0_b_next / correct1 / (sqrtf(state_v_policy_0_b_next / correct2) + 1e-8f);
  const float add_1 = fmaf(params_policy_0_b_value, 0.0f, div_1);
  const float params_policy_1_b_value = params_policy_1_b_in[element];
  const float div_2 =
      state_m_policy_1_b_next / correct1 / (sqrtf(state_v_policy_1_b_next / correct2) + 1e-8f);
  const float add_2 = fmaf(params_policy_1_b_value, 0.0f, div_2);
  const float params_value_0_b_value = params_value_0_b_in[element];
  const float div_3 =
      state_m_value_0_b_next / correct1 / (sqrtf(state_v_value_0_b_next / correct2) + 1e-8f);
  const float add_3 = fmaf(params_value_0_b_value, 0.0f, div_3);
  const float params_value_1_b_value = params_value_1_b_in[element];
  const float div_4 =
      state_m_value_1_b_next / correct1 / (sqrtf(state_v_value_1_b_next / correct2) + 1e-8f);
  const float add_4 = fmaf(params_value_1_b_value, 0.0f, div_4);
  const float params_value_2_w_value = params_value_2_w_in[element];
  const float div_5 =
      state_m_value_2_w_next / correct1 / (sqrtf(state_v_value_2_w_next / correct2) + 1e-8f);
  const float add_5 = fmaf(params_value_2_w_value, 0.0f, div_5);

  state_m_policy_0_b_out[element] = state_m_policy_0_b_next;
  state_v_policy_0_b_out[element] = state_v_policy_0_b_next;
  params_policy_0_b_out[element] = fmaf(-add_1, 0.0003f, params_policy_0_b_value);
  state_m_policy_1_b_out[element] = state_m_policy_1_b_next;
  state_v_policy_1_b_out[element] = state_v_policy_1_b_next;
  params_policy_1_b_out[element] = fmaf(-add_2, 0.0003f, params_policy_1_b_value);
  state_m_value_0_b_out[element] = state_m_value_0_b_next;
  state_v_value_0_b_out[element] = state_v_value_0_b_next;
  params_value_0_b_out[element] = fmaf(-add_3, 0.0003f, params_value_0_b_value);
  state_m_value_1_b_out[element] = state_m_value_1_b_next;
  state_v_value_1_b_out[element] = state_v_value_1_b_next;
  params_value_1_b_out[element] = fmaf(-add_4, 0.0003f, params_value_1_b_value);
  state_m_value_2_w_out[element] = state_m_value_2_w_next;
  state_v_value_2_w_out[element] = state_v_value_2_w_next;
  params_value_2_w_out[element] = fmaf(-add_5, 0.0003f, params_value_2_w_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_0_b_in,
        const float* params_policy_1_b_in,
        const float* params_value_0_b_in,
        const float* params_value_1_b_in,
        const float* params_value_2_b,
        const float* params_value_2_w_in,
        const float* state_m_policy_0_b_in,
        const float* state_m_policy_1_b_in,
        const float* state_m_value_0_b_in,
        const float* state_m_value_1_b_in,
        const float* state_m_value_2_w_in,
        const float* state_v_policy_0_b_in,
        const float* state_v_policy_1_b_in,
        const float* state_v_value_0_b_in,
        const float* state_v_value_1_b_in,
        const float* state_v_value_2_w_in,
        const float* reshape,
        const float* add_any,
        const float* power,
        const float* power_1,
        const float* add_any_1,
        const float* add_any_2,
        const float* add_any_3,
        const float* dot,
        const float* x,
        float* state_m_policy_0_b_out,
        float* state_v_policy_0_b_out,
        float* params_policy_0_b_out,
        float* state_m_policy_1_b_out,
        float* state_v_policy_1_b_out,
        float* params_policy_1_b_out,
        float* state_m_value_0_b_out,
        float* state_v_value_0_b_out,
        float* params_value_0_b_out,
        float* state_m_value_1_b_out,
        float* state_v_value_1_b_out,
        float* params_value_1_b_out,
        float* state_m_value_2_w_out,
        float* state_v_value_2_w_out,
        float* params_value_2_w_out,
        int t,
        cudaStream_t stream) {
  return launch(minibatch_4, {.grid = 1, .block = kThreads}, stream,
                params_policy_0_b_in, params_policy_1_b_in, params_value_0_b_in,
                params_value_1_b_in, params_value_2_b, params_value_2_w_in, state_m_policy_0_b_in,
                state_m_policy_1_b_in, state_m_value_0_b_in, state_m_value_1_b_in,
                state_m_value_2_w_in, state_v_policy_0_b_in, state_v_policy_1_b_in,
                state_v_value_0_b_in, state_v_value_1_b_in, state_v_value_2_w_in, reshape, add_any,
                power, power_1, add_any_1, add_any_2, add_any_3, dot, x, state_m_policy_0_b_out,
                state_v_policy_0_b_out, params_policy_0_b_out, state_m_policy_1_b_out,
                state_v_policy_1_b_out, params_policy_1_b_out, state_m_value_0_b_out,
                state_v_value_0_b_out, params_value_0_b_out, state_m_value_1_b_out,
                state_v_value_1_b_out, params_value_1_b_out, state_m_value_2_w_out,
                state_v_value_2_w_out, params_value_2_w_out, t);
}

}  // namespace ppo_update_kernels::minibatch_4
