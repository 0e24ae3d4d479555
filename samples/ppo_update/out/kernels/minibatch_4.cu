// minibatch_4: dot, sqrt, subtract, multiply, add, ... over f32[6,16].
//
//   in   params_policy_0_w_in     f32[6,16]
//   in   params_value_0_w_in      f32[6,16]
//   in   state_m_policy_0_w_in    f32[6,16]
//   in   state_m_value_0_w_in     f32[6,16]
//   in   state_v_policy_0_w_in    f32[6,16]
//   in   state_v_value_0_w_in     f32[6,16]
//   in   rows                     f32[4,32,6]
//   in   mlp_6                    f32[32,16]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   in   mlp_8                    f32[32,16]
//   out  state_m_policy_0_w_out   f32[6,16]
//   out  state_v_policy_0_w_out   f32[6,16]
//   out  params_policy_0_w_out    f32[6,16]
//   out  state_m_value_0_w_out    f32[6,16]
//   out  state_v_value_0_w_out    f32[6,16]
//   out  params_value_0_w_out     f32[6,16]
//
//   correct1               = 1 - power
//   correct2               = 1 - power_2
//   dot_1                  = dot(mlp_6, rows[t,:,:]), einsum=ab,ac->bc
//   state_m_policy_0_w_out = state_m_policy_0_w_in * 0.9 + transpose(dot_1) * 0.1
//   state_v_policy_0_w_out = state_v_policy_0_w_in * 0.999 + transpose(dot_1) * 0.001 *
//                            transpose(dot_1)
//   denominator            = sqrt(state_v_policy_0_w_out / correct2) + 1e-08
//   ratio_1                = state_m_policy_0_w_out / correct1 / denominator
//   sum_1                  = ratio_1 + params_policy_0_w_in * 0
//   params_policy_0_w_out  = params_policy_0_w_in - sum_1 * 3e-04
//   dot_2                  = dot(mlp_8, rows[t,:,:]), einsum=ab,ac->bc
//   state_m_value_0_w_out  = state_m_value_0_w_in * 0.9 + transpose(dot_2) * 0.1
//   state_v_value_0_w_out  = state_v_value_0_w_in * 0.999 + transpose(dot_2) * 0.001 *
//                            transpose(dot_2)
//   denominator_1          = sqrt(state_v_value_0_w_out / correct2) + 1e-08
//   ratio_2                = state_m_value_0_w_out / correct1 / denominator_1
//   sum_2                  = ratio_2 + params_value_0_w_in * 0
//   params_value_0_w_out   = params_value_0_w_in - sum_2 * 3e-04
//
// 3 blocks of 32 threads. Reads 7.9 kB, writes 2.3 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::minibatch_4 {
namespace {

constexpr int kRows = 6;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kTerms = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: an _in and its _out, as params_policy_0_w_in and params_policy_0_w_out, may be
// one array.
__global__ void __launch_bounds__(kThreads)
minibatch_4(const float* params_policy_0_w_in,
            const float* params_value_0_w_in,
            const float* state_m_policy_0_w_in,
            const float* state_m_value_0_w_in,
            const float* state_v_policy_0_w_in,
            const float* state_v_value_0_w_in,
            const float* __restrict__ rows,
            const float* __restrict__ mlp_6,
            const float* __restrict__ power,
            const float* __restrict__ power_2,
            const float* __restrict__ mlp_8,
            float* state_m_policy_0_w_out,
            float* state_v_policy_0_w_out,
            float* params_policy_0_w_out,
            float* state_m_value_0_w_out,
            float* state_v_value_0_w_out,
            float* params_value_0_w_out,
            int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // dense
  float dot_1 = 0.0f;
  float dot_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const float rows_value = rows[(t * kTerms + k) * kRows + row];
    dot_1 = fmaf(mlp_6[k * kColumns + column], rows_value, dot_1);
    dot_2 = fmaf(mlp_8[k * kColumns + column], rows_value, dot_2);
  }

  // adam
  const float state_m_policy_0_w_next = fmaf(dot_1, 0.1f, state_m_policy_0_w_in[element] * 0.9f);
  const float state_m_value_0_w_next = fmaf(dot_2, 0.1f, state_m_value_0_w_in[element] * 0.9f);
  const float state_v_policy_0_w_next =
      fmaf(dot_1 * 0.001f, dot_1, state_v_policy_0_w_in[element] * 0.999f);
  const float state_v_value_0_w_next =
      fmaf(dot_2 * 0.001f, dot_2, state_v_value_0_w_in[element] * 0.999f);
  const float correct1 = 1.0f - power[0];
  const float correct2 = 1.0f - power_2[0];

  // update
  const float params_policy_0_w_value = params_policy_0_w_in[element];
  const float ratio_1 =
      state_m_policy_0_w_next / correct1 / (sqrtf(state_v_policy_0_w_next / correct2) + 1e-8f);
  const float sum_1 = fmaf(params_policy_0_w_value, 0.0f, ratio_1);
  const float params_value_0_w_value = params_value_0_w_in[element];
  const float ratio_2 =
      state_m_value_0_w_next / correct1 / (sqrtf(state_v_value_0_w_next / correct2) + 1e-8f);
  const float sum_2 = fmaf(params_value_0_w_value, 0.0f, ratio_2);

  state_m_policy_0_w_out[element] = state_m_policy_0_w_next;
  state_v_policy_0_w_out[element] = state_v_policy_0_w_next;
  params_policy_0_w_out[element] = fmaf(-sum_1, 0.0003f, params_policy_0_w_value);
  state_m_value_0_w_out[element] = state_m_value_0_w_next;
  state_v_value_0_w_out[element] = state_v_value_0_w_next;
  params_value_0_w_out[element] = fmaf(-sum_2, 0.0003f, params_value_0_w_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_0_w_in, const float* params_value_0_w_in,
        const float* state_m_policy_0_w_in, const float* state_m_value_0_w_in,
        const float* state_v_policy_0_w_in, const float* state_v_value_0_w_in, const float* rows,
        const float* mlp_6, const float* power, const float* power_2, const float* mlp_8,
        float* state_m_policy_0_w_out, float* state_v_policy_0_w_out, float* params_policy_0_w_out,
        float* state_m_value_0_w_out, float* state_v_value_0_w_out, float* params_value_0_w_out,
        int t, cudaStream_t stream) {
  return launch(minibatch_4, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_policy_0_w_in, params_value_0_w_in, state_m_policy_0_w_in,
                state_m_value_0_w_in, state_v_policy_0_w_in, state_v_value_0_w_in, rows, mlp_6,
                power, power_2, mlp_8, state_m_policy_0_w_out, state_v_policy_0_w_out,
                params_policy_0_w_out, state_m_value_0_w_out, state_v_value_0_w_out,
                params_value_0_w_out, t);
}

}  // namespace ppo_update_kernels::minibatch_4
