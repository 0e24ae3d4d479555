// minibatch_2: dot, sqrt, subtract, multiply, add, ... over f32[16,3].
//
//   in   params_policy_2_w_in     f32[16,3]
//   in   state_m_policy_2_w_in    f32[16,3]
//   in   state_v_policy_2_w_in    f32[16,3]
//   in   sum_4                    f32[32,3]
//   in   x_4                      f32[32,16]
//   in   power                    f32[]
//   in   power_2                  f32[]
//   out  state_m_policy_2_w_out   f32[16,3]
//   out  state_v_policy_2_w_out   f32[16,3]
//   out  params_policy_2_w_out    f32[16,3]
//
//   dot                    = dot(sum_4, x_4), einsum=ab,ac->bc
//   state_m_policy_2_w_out = state_m_policy_2_w_in * 0.9 + transpose(dot) * 0.1
//   state_v_policy_2_w_out = state_v_policy_2_w_in * 0.999 + transpose(dot) * 0.001 *
//                            transpose(dot)
//   denominator            = sqrt(state_v_policy_2_w_out / (1 - power_2)) + 1e-08
//   ratio                  = state_m_policy_2_w_out / (1 - power) / denominator
//   sum                    = ratio + params_policy_2_w_in * 0
//   params_policy_2_w_out  = params_policy_2_w_in - sum * 3e-04
//
// 2 blocks of 32 threads. Reads 3.0 kB, writes 576 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::minibatch_2 {
namespace {

constexpr int kRows = 16;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 48
constexpr int kTerms = 32;
constexpr int kThreads = 32;

// Not __restrict__: an _in and its _out, as params_policy_2_w_in and params_policy_2_w_out, may be
// one array.
__global__ void __launch_bounds__(kThreads)
minibatch_2(const float* params_policy_2_w_in,
            const float* state_m_policy_2_w_in,
            const float* state_v_policy_2_w_in,
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
  float dot = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dot = fmaf(sum_4[k * kColumns + column], x_4[k * kRows + row], dot);
  }

  // adam
  const float state_m_policy_2_w_next = fmaf(dot, 0.1f, state_m_policy_2_w_in[element] * 0.9f);
  const float state_v_policy_2_w_next =
      fmaf(dot * 0.001f, dot, state_v_policy_2_w_in[element] * 0.999f);

  // update
  const float params_policy_2_w_value = params_policy_2_w_in[element];
  const float ratio = state_m_policy_2_w_next / (1.0f - power[0]) /
                      (sqrtf(state_v_policy_2_w_next / (1.0f - power_2[0])) + 1e-8f);
  const float sum = fmaf(params_policy_2_w_value, 0.0f, ratio);

  state_m_policy_2_w_out[element] = state_m_policy_2_w_next;
  state_v_policy_2_w_out[element] = state_v_policy_2_w_next;
  params_policy_2_w_out[element] = fmaf(-sum, 0.0003f, params_policy_2_w_value);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_2_w_in, const float* state_m_policy_2_w_in,
        const float* state_v_policy_2_w_in, const float* sum_4, const float* x_4,
        const float* power, const float* power_2, float* state_m_policy_2_w_out,
        float* state_v_policy_2_w_out, float* params_policy_2_w_out, cudaStream_t stream) {
  return launch(minibatch_2,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, params_policy_2_w_in, state_m_policy_2_w_in, state_v_policy_2_w_in, sum_4,
                x_4, power, power_2, state_m_policy_2_w_out, state_v_policy_2_w_out,
                params_policy_2_w_out);
}

}  // namespace ppo_update_kernels::minibatch_2
