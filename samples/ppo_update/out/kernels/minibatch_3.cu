// minibatch_3: dot, exponential, log, sqrt, add, ... over f32[16,3].
//
//   in   params_policy_2_b        f32[3]
//   in   params_policy_2_w_in     f32[16,3]
//   in   state_m_policy_2_w_in    f32[16,3]
//   in   state_v_policy_2_w_in    f32[16,3]
//   in   dot                      f32[32,3]
//   in   max                      f32[32]
//   in   sum                      f32[32]
//   in   scatter_add              f32[32,3]
//   in   sum_1                    f32[32]
//   in   x                        f32[32,16]
//   in   power                    f32[]
//   in   power_1                  f32[]
//   out  state_m_policy_2_w_out   f32[16,3]
//   out  state_v_policy_2_w_out   f32[16,3]
//   out  params_policy_2_w_out    f32[16,3]
//
//   sub_1                  = dot + params_policy_2_b - broadcast(max)
//   sub_2                  = sub_1 - broadcast(log(sum))
//   exponential            = exponential(sub_2)
//   add_any_1              = exponential * 0.0003125 + sub_2 * 0.0003125 * exponential
//   add_any_2              = add_any_1 + scatter_add
//   dot_1                  = dot(add_any_2 + broadcast(0 + sum_1 / sum) * exponential(sub_1), x),
//                            einsum=ab,ac->bc
//   state_m_policy_2_w_out = state_m_policy_2_w_in * 0.9 + transpose(dot_1) * 0.1
//   state_v_policy_2_w_out = state_v_policy_2_w_in * 0.999 + transpose(dot_1) * 0.001 *
//                            transpose(dot_1)
//   add_1                  = sqrt(state_v_policy_2_w_out / (1 - power_1)) + 1e-08
//   div                    = state_m_policy_2_w_out / (1 - power) / add_1
//   add                    = div + params_policy_2_w_in * 0
//   params_policy_2_w_out  = params_policy_2_w_in - add * 3e-04
//
// 2 blocks of 32 threads. Reads 3.8 kB, writes 576 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::minibatch_3 {
namespace {

constexpr int kElements = 48;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
minibatch_3(const float* __restrict__ params_policy_2_b,
            const float* params_policy_2_w_in,
            const float* state_m_policy_2_w_in,
            const float* state_v_policy_2_w_in,
            const float* __restrict__ dot,
            const float* __restrict__ max,
            const float* __restrict__ sum,
            const float* __restrict__ scatter_add,
            const float* __restrict__ sum_1,
            const float* __restrict__ x,
            const float* __restrict__ power,
            const float* __restrict__ power_1,
            float* state_m_policy_2_w_out,
            float* state_v_policy_2_w_out,
            float* params_policy_2_w_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 3;
  const int column = element % 3;

  // dense
  const float params_policy_2_b_value = params_policy_2_b[column];
  float dot_1 = 0.0f;
  for (int k = 0; k < 32; ++k) {
    const int index = k * 3 + column;
    const float sub_1 = dot[index] + params_policy_2_b_value - max[k];
    const float sum_value = sum[k];
    const float sub_2 = sub_1 - logf(sum_value);
    const float exponential = expf(sub_2);
    const float add_any_1 = fmaf(sub_2 * 0.0003125f, exponential, exponential * 0.0003125f);
    const float add_any_2 = add_any_1 + scatter_add[index];
    dot_1 = fmaf(fmaf(0.0f + sum_1[k] / sum_value, expf(sub_1), add_any_2), x[k * 16 + row], dot_1);
  }

  // adam
  const float state_m_policy_2_w_next = fmaf(dot_1, 0.1f, state_m_policy_2_w_in[element] * 0.9f);
  const float state_v_policy_2_w_next =
      fmaf(dot_1 * 0.001f, dot_1, state_v_policy_2_w_in[element] * 0.999f);

  // update
  const float params_policy_2_w_value = params_policy_2_w_in[element];
  const float div = state_m_policy_2_w_next / (1.0f - power[0]) /
                    (sqrtf(state_v_policy_2_w_next / (1.0f - power_1[0])) + 1e-8f);
  const float add = fmaf(params_policy_2_w_value, 0.0f, div);

  state_m_policy_2_w_out[element] = state_m_policy_2_w_next;
  state_v_policy_2_w_out[element] = state_v_policy_2_w_next;
  params_policy_2_w_out[element] = fmaf(-add, 0.0003f, params_policy_2_w_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_2_b,
        const float* params_policy_2_w_in,
        const float* state_m_policy_2_w_in,
        const float* state_v_policy_2_w_in,
        const float* dot,
        const float* max,
        const float* sum,
        const float* scatter_add,
        const float* sum_1,
        const float* x,
        const float* power,
        const float* power_1,
        float* state_m_policy_2_w_out,
        float* state_v_policy_2_w_out,
        float* params_policy_2_w_out,
        cudaStream_t stream) {
  return launch(minibatch_3,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, params_policy_2_b, params_policy_2_w_in, state_m_policy_2_w_in,
                state_v_policy_2_w_in, dot, max, sum, scatter_add, sum_1, x, power, power_1,
                state_m_policy_2_w_out, state_v_policy_2_w_out, params_policy_2_w_out);
}

}  // namespace ppo_update_kernels::minibatch_3
