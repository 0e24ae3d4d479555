// minibatch_3: dot, exponential, log, sqrt, add, ... over f32[16,3].
//
//   in   params_policy_2_b        f32[3]
//   in   params_policy_2_w_in     f32[16,3]
//   in   state_m_policy_2_w_in    f32[16,3]
//   in   state_v_policy_2_w_in    f32[16,3]
//   in   dense_2                  f32[32,3]
//   in   max                      f32[32]
//   in   weight_sum               f32[32]
//   in   sums                     f32[32,3]
//   in   sum_4                    f32[32]
//   in   x_4                      f32[32,16]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   out  state_m_policy_2_w_out   f32[16,3]
//   out  state_v_policy_2_w_out   f32[16,3]
//   out  params_policy_2_w_out    f32[16,3]
//
//   shifted                = dense_2 + params_policy_2_b - broadcast(max)
//   loss                   = shifted - broadcast(log(weight_sum))
//   exponential            = exponential(loss)
//   epoch                  = loss * 0.0003125
//   sum_1                  = exponential * 0.0003125 + epoch * exponential + sums
//   sum                    = sum_1 + broadcast(0 + sum_4 / weight_sum) * exponential(shifted)
//   dot                    = dot(sum, x_4), einsum=ab,ac->bc
//   state_m_policy_2_w_out = state_m_policy_2_w_in * 0.9 + transpose(dot) * 0.1
//   state_v_policy_2_w_out = state_v_policy_2_w_in * 0.999 + transpose(dot) * 0.001 *
//                            transpose(dot)
//   denominator            = sqrt(state_v_policy_2_w_out / (1 - power_2)) + 1e-08
//   ratio                  = state_m_policy_2_w_out / (1 - power) / denominator
//   sum_2                  = ratio + params_policy_2_w_in * 0
//   params_policy_2_w_out  = params_policy_2_w_in - sum_2 * 3e-04
//
// 2 blocks of 32 threads. Reads 3.8 kB, writes 576 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::minibatch_3 {
namespace {

constexpr int kRows = 16;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 48
constexpr int kTerms = 32;
constexpr int kThreads = 32;

// Not __restrict__: an _in and its _out, as params_policy_2_w_in and params_policy_2_w_out, may be
// one array.
__global__ void __launch_bounds__(kThreads)
minibatch_3(const float* __restrict__ params_policy_2_b,
            const float* params_policy_2_w_in,
            const float* state_m_policy_2_w_in,
            const float* state_v_policy_2_w_in,
            const float* __restrict__ dense_2,
            const float* __restrict__ max,
            const float* __restrict__ weight_sum,
            const float* __restrict__ sums,
            const float* __restrict__ sum_4,
            const float* __restrict__ x_4,
            const float* __restrict__ power,
            const float* __restrict__ power_2,
            float* state_m_policy_2_w_out,
            float* state_v_policy_2_w_out,
            float* params_policy_2_w_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // dense
  const float params_policy_2_b_value = params_policy_2_b[column];
  float dot = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int index = k * kColumns + column;

    // loss
    const float shifted = dense_2[index] + params_policy_2_b_value - max[k];
    const float weight_sum_value = weight_sum[k];
    const float loss = shifted - logf(weight_sum_value);
    const float exponential = expf(loss);

    // epoch
    const float epoch = loss * 0.0003125f;

    // loss
    const float sum_1 = fmaf(epoch, exponential, exponential * 0.0003125f) + sums[index];
    dot = fmaf(fmaf(0.0f + sum_4[k] / weight_sum_value, expf(shifted), sum_1), x_4[k * kRows + row],
               dot);
  }

  // adam
  const float state_m_policy_2_w_next = fmaf(dot, 0.1f, state_m_policy_2_w_in[element] * 0.9f);
  const float state_v_policy_2_w_next =
      fmaf(dot * 0.001f, dot, state_v_policy_2_w_in[element] * 0.999f);

  // update
  const float params_policy_2_w_value = params_policy_2_w_in[element];
  const float ratio = state_m_policy_2_w_next / (1.0f - power[0]) /
                      (sqrtf(state_v_policy_2_w_next / (1.0f - power_2[0])) + 1e-8f);
  const float sum_2 = fmaf(params_policy_2_w_value, 0.0f, ratio);

  state_m_policy_2_w_out[element] = state_m_policy_2_w_next;
  state_v_policy_2_w_out[element] = state_v_policy_2_w_next;
  params_policy_2_w_out[element] = fmaf(-sum_2, 0.0003f, params_policy_2_w_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_2_b, const float* params_policy_2_w_in,
        const float* state_m_policy_2_w_in, const float* state_v_policy_2_w_in,
        const float* dense_2, const float* max, const float* weight_sum, const float* sums,
        const float* sum_4, const float* x_4, const float* power, const float* power_2,
        float* state_m_policy_2_w_out, float* state_v_policy_2_w_out, float* params_policy_2_w_out,
        cudaStream_t stream) {
  return launch(minibatch_3,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, params_policy_2_b, params_policy_2_w_in, state_m_policy_2_w_in,
                state_v_policy_2_w_in, dense_2, max, weight_sum, sums, sum_4, x_4, power, power_2,
                state_m_policy_2_w_out, state_v_policy_2_w_out, params_policy_2_w_out);
}

}  // namespace ppo_update_kernels::minibatch_3
