// minibatch_5: dot, sqrt, subtract, multiply, add, ... over f32[6,16].
//
//   in   params_policy_0_w_in     f32[6,16]
//   in   params_value_0_w_in      f32[6,16]
//   in   state_m_policy_0_w_in    f32[6,16]
//   in   state_m_value_0_w_in     f32[6,16]
//   in   state_v_policy_0_w_in    f32[6,16]
//   in   state_v_value_0_w_in     f32[6,16]
//   in   reshape                  f32[4,32,6]
//   in   add_any                  f32[32,16]
//   in   power                    f32[]
//   in   power_1                  f32[]
//   in   add_any_1                f32[32,16]
//   out  state_m_policy_0_w_out   f32[6,16]
//   out  state_v_policy_0_w_out   f32[6,16]
//   out  params_policy_0_w_out    f32[6,16]
//   out  state_m_value_0_w_out    f32[6,16]
//   out  state_v_value_0_w_out    f32[6,16]
//   out  params_value_0_w_out     f32[6,16]
//
//   dense   dot_1, dot_2
//   adam    state_m_policy_0_w_next, state_m_value_0_w_next, state_v_policy_0_w_next,
//           state_v_value_0_w_next, correct1, correct2
//   update  params_policy_0_w_out, params_value_0_w_out
//
// 3 blocks of 32 threads. Reads 7.9 kB, writes 2.3 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::minibatch_5 {
namespace {

constexpr int kElements = 96;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
minibatch_5(const float* params_policy_0_w_in,
            const float* params_value_0_w_in,
            const float* state_m_policy_0_w_in,
            const float* state_m_value_0_w_in,
            const float* state_v_policy_0_w_in,
            const float* state_v_value_0_w_in,
            const float* __restrict__ reshape,
            const float* __restrict__ add_any,
            const float* __restrict__ power,
            const float* __restrict__ power_1,
            const float* __restrict__ add_any_1,
            float* state_m_policy_0_w_out,
            float* state_v_policy_0_w_out,
            float* params_policy_0_w_out,
            float* state_m_value_0_w_out,
            float* state_v_value_0_w_out,
            float* params_value_0_w_out,
            int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  // dense
  float dot_1 = 0.0f;
  for (int k = 0; k < 32; ++k) {
    dot_1 = fmaf(add_any[k * 16 + column], reshape[t * 192 + k * 6 + row], dot_1);
  }
  float dot_2 = 0.0f;
  for (int k = 0; k < 32; ++k) {
    dot_2 = fmaf(add_any_1[k * 16 + column], reshape[t * 192 + k * 6 + row], dot_2);
  }

  // adam
  const float state_m_policy_0_w_next = fmaf(dot_1, 0.1f, state_m_policy_0_w_in[element] * 0.9f);
  const float state_m_value_0_w_next = fmaf(dot_2, 0.1f, state_m_value_0_w_in[element] * 0.9f);
  const float state_v_policy_0_w_next =
      fmaf(dot_1 * 0.001f, dot_1, state_v_policy_0_w_in[element] * 0.999f);
  const float state_v_value_0_w_next =
      fmaf(dot_2 * 0.001f, dot_2, state_v_value_0_w_in[element] * 0.999f);
  const float correct1 = 1.0f - power[0];
  const float correct2 = 1.0f - power_1[0];

  // update
  const float params_policy_0_w_value = params_policy_0_w_in[element];
  const float div_1 =
      state_m_policy_0_w_next / correct1 / (sqrtf(state_v_policy_0_w_next / correct2) + 1e-8f);
  const float add_1 = fmaf(params_policy_0_w_value, 0.0f, div_1);
  const float params_value_0_w_value = params_value_0_w_in[element];
  const float div_2 =
      state_m_value_0_w_next / correct1 / (sqrtf(state_v_value_0_w_next / correct2) + 1e-8f);
  const float add_2 = fmaf(params_value_0_w_value, 0.0f, div_2);

  state_m_policy_0_w_out[element] = state_m_policy_0_w_next;
  state_v_policy_0_w_out[element] = state_v_policy_0_w_next;
  params_policy_0_w_out[element] = fmaf(-add_1, 0.0003f, params_policy_0_w_value);
  state_m_value_0_w_out[element] = state_m_value_0_w_next;
  state_v_value_0_w_out[element] = state_v_value_0_w_next;
  params_value_0_w_out[element] = fmaf(-add_2, 0.0003f, params_value_0_w_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_0_w_in,
        const float* params_value_0_w_in,
        const float* state_m_policy_0_w_in,
        const float* state_m_value_0_w_in,
        const float* state_v_policy_0_w_in,
        const float* state_v_value_0_w_in,
        const float* reshape,
        const float* add_any,
        const float* power,
        const float* power_1,
        const float* add_any_1,
        float* state_m_policy_0_w_out,
        float* state_v_policy_0_w_out,
        float* params_policy_0_w_out,
        float* state_m_value_0_w_out,
        float* state_v_value_0_w_out,
        float* params_value_0_w_out,
        int t,
        cudaStream_t stream) {
  return launch(minibatch_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_policy_0_w_in, params_value_0_w_in, state_m_policy_0_w_in,
                state_m_value_0_w_in, state_v_policy_0_w_in, state_v_value_0_w_in, reshape, add_any,
                power, power_1, add_any_1, state_m_policy_0_w_out, state_v_policy_0_w_out,
                params_policy_0_w_out, state_m_value_0_w_out, state_v_value_0_w_out,
                params_value_0_w_out, t);
}

}  // namespace ppo_update_kernels::minibatch_5
