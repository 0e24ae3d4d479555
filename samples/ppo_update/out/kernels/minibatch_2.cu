// minibatch_2: reduce, exponential, log, sqrt, add, ... over f32[3].
//
//   in   params_policy_2_b_in     f32[3]
//   in   state_m_policy_2_b_in    f32[3]
//   in   state_v_policy_2_b_in    f32[3]
//   in   dense_2                  f32[32,3]
//   in   max                      f32[32]
//   in   weight_sum               f32[32]
//   in   sums                     f32[32,3]
//   in   sum_4                    f32[32]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   out  state_m_policy_2_b_out   f32[3]
//   out  state_v_policy_2_b_out   f32[3]
//   out  params_policy_2_b_out    f32[3]
//
//   shifted                = dense_2 + params_policy_2_b_in - broadcast(max)
//   loss                   = shifted - broadcast(log(weight_sum))
//   exponential            = exponential(loss)
//   epoch                  = loss * 0.0003125
//   sum_2                  = exponential * 0.0003125 + epoch * exponential + sums
//   sum                    = sum_2 + broadcast(0 + sum_4 / weight_sum) * exponential(shifted)
//   sum_1                  = reduce(sum, 0), dimensions={0}, to_apply=add
//   state_m_policy_2_b_out = state_m_policy_2_b_in * 0.9 + sum_1 * 0.1
//   state_v_policy_2_b_out = state_v_policy_2_b_in * 0.999 + sum_1 * 0.001 * sum_1
//   denominator            = sqrt(state_v_policy_2_b_out / (1 - power_2)) + 1e-08
//   ratio                  = state_m_policy_2_b_out / (1 - power) / denominator
//   sum_3                  = ratio + params_policy_2_b_in * 0
//   params_policy_2_b_out  = params_policy_2_b_in - sum_3 * 3e-04
//
// One block of 32 threads. Reads 1.2 kB, writes 36 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::minibatch_2 {
namespace {

constexpr int kElements = 3;
constexpr int kTerms = 32;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

// Not __restrict__: an _in and its _out, as state_m_policy_2_b_in and state_m_policy_2_b_out, may
// be one array.
__global__ void __launch_bounds__(kThreads)
minibatch_2(const float* __restrict__ params_policy_2_b_in,
            const float* state_m_policy_2_b_in,
            const float* state_v_policy_2_b_in,
            const float* __restrict__ dense_2,
            const float* __restrict__ max,
            const float* __restrict__ weight_sum,
            const float* __restrict__ sums,
            const float* __restrict__ sum_4,
            const float* __restrict__ power,
            const float* __restrict__ power_2,
            float* state_m_policy_2_b_out,
            float* state_v_policy_2_b_out,
            float* __restrict__ params_policy_2_b_out) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  const float params_policy_2_b_value = params_policy_2_b_in[element];
  float sum_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int index = k * kElements + element;

    // loss
    const float shifted = dense_2[index] + params_policy_2_b_value - max[k];
    const float weight_sum_value = weight_sum[k];
    const float loss = shifted - logf(weight_sum_value);
    const float exponential = expf(loss);

    // epoch
    const float epoch = loss * 0.0003125f;

    // loss
    const float sum_2 = fmaf(epoch, exponential, exponential * 0.0003125f) + sums[index];
    sum_1 += fmaf(0.0f + sum_4[k] / weight_sum_value, expf(shifted), sum_2);
  }

  // adam
  const float state_m_policy_2_b_next = fmaf(sum_1, 0.1f, state_m_policy_2_b_in[element] * 0.9f);
  const float state_v_policy_2_b_next =
      fmaf(sum_1 * 0.001f, sum_1, state_v_policy_2_b_in[element] * 0.999f);

  // update
  const float ratio = state_m_policy_2_b_next / (1.0f - power[0]) /
                      (sqrtf(state_v_policy_2_b_next / (1.0f - power_2[0])) + 1e-8f);
  const float sum_3 = fmaf(params_policy_2_b_value, 0.0f, ratio);

  state_m_policy_2_b_out[element] = state_m_policy_2_b_next;
  state_v_policy_2_b_out[element] = state_v_policy_2_b_next;
  params_policy_2_b_out[element] = fmaf(-sum_3, 0.0003f, params_policy_2_b_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_2_b_in, const float* state_m_policy_2_b_in,
        const float* state_v_policy_2_b_in, const float* dense_2, const float* max,
        const float* weight_sum, const float* sums, const float* sum_4, const float* power,
        const float* power_2, float* state_m_policy_2_b_out, float* state_v_policy_2_b_out,
        float* params_policy_2_b_out, cudaStream_t stream) {
  return launch(minibatch_2, {.grid = 1, .block = kThreads}, stream,
                params_policy_2_b_in, state_m_policy_2_b_in, state_v_policy_2_b_in, dense_2, max,
                weight_sum, sums, sum_4, power, power_2, state_m_policy_2_b_out,
                state_v_policy_2_b_out, params_policy_2_b_out);
}

}  // namespace ppo_update_kernels::minibatch_2
