// minibatch_3: dot, reduce, sqrt, multiply, add, ... over f32[16].
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
//   in   picked_4                 f32[4,32]
//   in   mlp_6                    f32[32,16]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   in   mlp_5                    f32[32,16]
//   in   mlp_8                    f32[32,16]
//   in   mlp_7                    f32[32,16]
//   in   dense_4                  f32[32,1]
//   in   x_5                      f32[32,16]
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
//   state_m_policy_0_b_out = state_m_policy_0_b_in * 0.9 + sum_1_1 * 0.1
//   state_v_policy_0_b_out = state_v_policy_0_b_in * 0.999 + sum_1_1 * 0.001 * sum_1_1
//   params_policy_0_b_out  = params_policy_0_b_in - sum_3 * 3e-04
//   state_m_policy_1_b_out = state_m_policy_1_b_in * 0.9 + sum_1_2 * 0.1
//   state_v_policy_1_b_out = state_v_policy_1_b_in * 0.999 + sum_1_2 * 0.001 * sum_1_2
//   params_policy_1_b_out  = params_policy_1_b_in - sum_4 * 3e-04
//   state_m_value_0_b_out  = state_m_value_0_b_in * 0.9 + sum_2_1 * 0.1
//   state_v_value_0_b_out  = state_v_value_0_b_in * 0.999 + sum_2_1 * 0.001 * sum_2_1
//   params_value_0_b_out   = params_value_0_b_in - sum_5 * 3e-04
//   state_m_value_1_b_out  = state_m_value_1_b_in * 0.9 + sum_2_2 * 0.1
//   state_v_value_1_b_out  = state_v_value_1_b_in * 0.999 + sum_2_2 * 0.001 * sum_2_2
//   params_value_1_b_out   = params_value_1_b_in - sum_6 * 3e-04
//   state_m_value_2_w_out  = state_m_value_2_w_in * 0.9 + dot * 0.1
//   state_v_value_2_w_out  = state_v_value_2_w_in * 0.999 + dot * 0.001 * dot
//   params_value_2_w_out   = params_value_2_w_in - sum_7 * 3e-04
//   Not shown: sum_1_1, sum_3, sum_1_2, sum_4, sum_2_1, sum_5, sum_2_2, sum_6, ...
//
// One block of 32 threads. Reads 11.5 kB, writes 960 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/vector_access.cuh"

namespace ppo_update_kernels::minibatch_3 {
namespace {

constexpr int kElements = 16;
constexpr int kTerms = 32;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

// Not __restrict__: an _in and its _out, as params_policy_0_b_in and params_policy_0_b_out, may be
// one array.
__global__ void __launch_bounds__(kThreads)
minibatch_3(const float* params_policy_0_b_in,
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
            const float* __restrict__ picked_4,
            const float* __restrict__ mlp_6,
            const float* __restrict__ power,
            const float* __restrict__ power_2,
            const float* __restrict__ mlp_5,
            const float* __restrict__ mlp_8,
            const float* __restrict__ mlp_7,
            const float* __restrict__ dense_4,
            const float* __restrict__ x_5,
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
  float sum_1_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_1_1 += mlp_6[k * kElements + element];
  float sum_1_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_1_2 += mlp_5[k * kElements + element];
  float sum_2_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_2_1 += mlp_8[k * kElements + element];
  float sum_2_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) sum_2_2 += mlp_7[k * kElements + element];
  const float params_value_2_b_value = params_value_2_b[0];
  float dot = 0.0f;
  for (int first_k = 0; first_k < kTerms; first_k += 4) {
    const Vector<float, 4> dense_4_values = load_vector<4>(dense_4 + first_k);
    const Vector<float, 4> picked_4_values = load_vector<4>(picked_4 + (t * kTerms + first_k));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int k_1 = first_k + i;
      const float difference = dense_4_values[i] + params_value_2_b_value - picked_4_values[i];
      dot = fmaf(difference * 2.0f * 0.015625f, x_5[k_1 * kElements + element], dot);
    }
  }

  // adam
  const float state_m_policy_0_b_next = fmaf(sum_1_1, 0.1f, state_m_policy_0_b_in[element] * 0.9f);
  const float state_m_policy_1_b_next = fmaf(sum_1_2, 0.1f, state_m_policy_1_b_in[element] * 0.9f);
  const float state_m_value_0_b_next = fmaf(sum_2_1, 0.1f, state_m_value_0_b_in[element] * 0.9f);
  const float state_m_value_1_b_next = fmaf(sum_2_2, 0.1f, state_m_value_1_b_in[element] * 0.9f);
  const float state_m_value_2_w_next = fmaf(dot, 0.1f, state_m_value_2_w_in[element] * 0.9f);
  const float state_v_policy_0_b_next =
      fmaf(sum_1_1 * 0.001f, sum_1_1, state_v_policy_0_b_in[element] * 0.999f);
  const float state_v_policy_1_b_next =
      fmaf(sum_1_2 * 0.001f, sum_1_2, state_v_policy_1_b_in[element] * 0.999f);
  const float state_v_value_0_b_next =
      fmaf(sum_2_1 * 0.001f, sum_2_1, state_v_value_0_b_in[element] * 0.999f);
  const float state_v_value_1_b_next =
      fmaf(sum_2_2 * 0.001f, sum_2_2, state_v_value_1_b_in[element] * 0.999f);
  const float state_v_value_2_w_next =
      fmaf(dot * 0.001f, dot, state_v_value_2_w_in[element] * 0.999f);
  const float correct1 = 1.0f - power[0];
  const float correct2 = 1.0f - power_2[0];

  // update
  const float params_policy_0_b_value = params_policy_0_b_in[element];
  const float ratio_1 =
      state_m_policy_0_b_next / correct1 / (sqrtf(state_v_policy_0_b_next / correct2) + 1e-8f);
  const float sum_3 = fmaf(params_policy_0_b_value, 0.0f, ratio_1);
  const float params_policy_1_b_value = params_policy_1_b_in[element];
  const float ratio_2 =
      state_m_policy_1_b_next / correct1 / (sqrtf(state_v_policy_1_b_next / correct2) + 1e-8f);
  const float sum_4 = fmaf(params_policy_1_b_value, 0.0f, ratio_2);
  const float params_value_0_b_value = params_value_0_b_in[element];
  const float ratio_3 =
      state_m_value_0_b_next / correct1 / (sqrtf(state_v_value_0_b_next / correct2) + 1e-8f);
  const float sum_5 = fmaf(params_value_0_b_value, 0.0f, ratio_3);
  const float params_value_1_b_value = params_value_1_b_in[element];
  const float ratio_4 =
      state_m_value_1_b_next / correct1 / (sqrtf(state_v_value_1_b_next / correct2) + 1e-8f);
  const float sum_6 = fmaf(params_value_1_b_value, 0.0f, ratio_4);
  const float params_value_2_w_value = params_value_2_w_in[element];
  const float ratio_5 =
      state_m_value_2_w_next / correct1 / (sqrtf(state_v_value_2_w_next / correct2) + 1e-8f);
  const float sum_7 = fmaf(params_value_2_w_value, 0.0f, ratio_5);

  state_m_policy_0_b_out[element] = state_m_policy_0_b_next;
  state_v_policy_0_b_out[element] = state_v_policy_0_b_next;
  params_policy_0_b_out[element] = fmaf(-sum_3, 0.0003f, params_policy_0_b_value);
  state_m_policy_1_b_out[element] = state_m_policy_1_b_next;
  state_v_policy_1_b_out[element] = state_v_policy_1_b_next;
  params_policy_1_b_out[element] = fmaf(-sum_4, 0.0003f, params_policy_1_b_value);
  state_m_value_0_b_out[element] = state_m_value_0_b_next;
  state_v_value_0_b_out[element] = state_v_value_0_b_next;
  params_value_0_b_out[element] = fmaf(-sum_5, 0.0003f, params_value_0_b_value);
  state_m_value_1_b_out[element] = state_m_value_1_b_next;
  state_v_value_1_b_out[element] = state_v_value_1_b_next;
  params_value_1_b_out[element] = fmaf(-sum_6, 0.0003f, params_value_1_b_value);
  state_m_value_2_w_out[element] = state_m_value_2_w_next;
  state_v_value_2_w_out[element] = state_v_value_2_w_next;
  params_value_2_w_out[element] = fmaf(-sum_7, 0.0003f, params_value_2_w_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_0_b_in, const float* params_policy_1_b_in,
        const float* params_value_0_b_in, const float* params_value_1_b_in,
        const float* params_value_2_b, const float* params_value_2_w_in,
        const float* state_m_policy_0_b_in, const float* state_m_policy_1_b_in,
        const float* state_m_value_0_b_in, const float* state_m_value_1_b_in,
        const float* state_m_value_2_w_in, const float* state_v_policy_0_b_in,
        const float* state_v_policy_1_b_in, const float* state_v_value_0_b_in,
        const float* state_v_value_1_b_in, const float* state_v_value_2_w_in, const float* picked_4,
        const float* mlp_6, const float* power, const float* power_2, const float* mlp_5,
        const float* mlp_8, const float* mlp_7, const float* dense_4, const float* x_5,
        float* state_m_policy_0_b_out, float* state_v_policy_0_b_out, float* params_policy_0_b_out,
        float* state_m_policy_1_b_out, float* state_v_policy_1_b_out, float* params_policy_1_b_out,
        float* state_m_value_0_b_out, float* state_v_value_0_b_out, float* params_value_0_b_out,
        float* state_m_value_1_b_out, float* state_v_value_1_b_out, float* params_value_1_b_out,
        float* state_m_value_2_w_out, float* state_v_value_2_w_out, float* params_value_2_w_out,
        int t, cudaStream_t stream) {
  return launch(minibatch_3, {.grid = 1, .block = kThreads}, stream,
                params_policy_0_b_in, params_policy_1_b_in, params_value_0_b_in,
                params_value_1_b_in, params_value_2_b, params_value_2_w_in, state_m_policy_0_b_in,
                state_m_policy_1_b_in, state_m_value_0_b_in, state_m_value_1_b_in,
                state_m_value_2_w_in, state_v_policy_0_b_in, state_v_policy_1_b_in,
                state_v_value_0_b_in, state_v_value_1_b_in, state_v_value_2_w_in, picked_4, mlp_6,
                power, power_2, mlp_5, mlp_8, mlp_7, dense_4, x_5, state_m_policy_0_b_out,
                state_v_policy_0_b_out, params_policy_0_b_out, state_m_policy_1_b_out,
                state_v_policy_1_b_out, params_policy_1_b_out, state_m_value_0_b_out,
                state_v_value_0_b_out, params_value_0_b_out, state_m_value_1_b_out,
                state_v_value_1_b_out, params_value_1_b_out, state_m_value_2_w_out,
                state_v_value_2_w_out, params_value_2_w_out, t);
}

}  // namespace ppo_update_kernels::minibatch_3
