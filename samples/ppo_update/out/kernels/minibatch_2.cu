// minibatch_2: reduce, exponential, log, sqrt, add, ... over f32[3].
//
//   in   params_policy_2_b_in     f32[3]
//   in   state_m_policy_2_b_in    f32[3]
//   in   state_v_policy_2_b_in    f32[3]
//   in   dot                      f32[32,3]
//   in   max                      f32[32]
//   in   sum                      f32[32]
//   in   scatter_add              f32[32,3]
//   in   sum_1                    f32[32]
//   in   power                    f32[]
//   in   power_1                  f32[]
//   out  state_m_policy_2_b_out   f32[3]
//   out  state_v_policy_2_b_out   f32[3]
//   out  params_policy_2_b_out    f32[3]
//
//   dense   params_policy_2_b_value, reduce_sum
//   adam    state_m_policy_2_b_next, state_v_policy_2_b_next
//   update  params_policy_2_b_out
//
// One block of 32 threads. Reads 1.2 kB, writes 36 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::minibatch_2 {
namespace {

constexpr int kElements = 3;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__global__ void __launch_bounds__(kThreads)
minibatch_2(const float* __restrict__ params_policy_2_b_in,
            const float* state_m_policy_2_b_in,
            const float* state_v_policy_2_b_in,
            const float* __restrict__ dot,
            const float* __restrict__ max,
            const float* __restrict__ sum,
            const float* __restrict__ scatter_add,
            const float* __restrict__ sum_1,
            const float* __restrict__ power,
            const float* __restrict__ power_1,
            float* state_m_policy_2_b_out,
            float* state_v_policy_2_b_out,
            float* __restrict__ params_policy_2_b_out) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  const float params_policy_2_b_value = params_policy_2_b_in[element];
  float sum_2 = 0.0f;
  for (int k = 0; k < 32; ++k) {
    const int index = k * 3 + element;
    const float sub_1 = dot[index] + params_policy_2_b_value - max[k];
    const float sum_value = sum[k];
    const float sub_2 = sub_1 - logf(sum_value);
    const float exponential = expf(sub_2);
    const float add_any_1 = fmaf(sub_2 * 0.0003125f, exponential, exponential * 0.0003125f);
    const float add_any_2 = add_any_1 + scatter_add[index];
    sum_2 += fmaf(0.0f + sum_1[k] / sum_value, expf(sub_1), add_any_2);
  }
  const float reduce_sum = 0.0f + sum_2;

  // adam
  const float state_m_policy_2_b_next =
      fmaf(reduce_sum, 0.1f, state_m_policy_2_b_in[element] * 0.9f);
  const float mul = state_v_policy_2_b_in[element] * 0.999f;
  const float state_v_policy_2_b_next = fmaf(reduce_sum * 0.001f, reduce_sum, mul);

  // update
  const float div = state_m_policy_2_b_next / (1.0f - power[0]) /
                    (sqrtf(state_v_policy_2_b_next / (1.0f - power_1[0])) + 1e-8f);
  const float add = fmaf(params_policy_2_b_value, 0.0f, div);

  state_m_policy_2_b_out[element] = state_m_policy_2_b_next;
  state_v_policy_2_b_out[element] = state_v_policy_2_b_next;
  params_policy_2_b_out[element] = fmaf(-add, 0.0003f, params_policy_2_b_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_2_b_in,
        const float* state_m_policy_2_b_in,
        const float* state_v_policy_2_b_in,
        const float* dot,
        const float* max,
        const float* sum,
        const float* scatter_add,
        const float* sum_1,
        const float* power,
        const float* power_1,
        float* state_m_policy_2_b_out,
        float* state_v_policy_2_b_out,
        float* params_policy_2_b_out,
        cudaStream_t stream) {
  return launch(minibatch_2, {.grid = 1, .block = kThreads}, stream,
                params_policy_2_b_in, state_m_policy_2_b_in, state_v_policy_2_b_in, dot, max, sum,
                scatter_add, sum_1, power, power_1, state_m_policy_2_b_out, state_v_policy_2_b_out,
                params_policy_2_b_out);
}

}  // namespace ppo_update_kernels::minibatch_2
