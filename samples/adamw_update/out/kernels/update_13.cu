// update_13: sqrt, subtract, multiply, add, divide over f32[3,16].
//
//   in   params_qkv_bias_in     f32[3,16]
//   in   grads_qkv_bias         f32[3,16]
//   in   state_m_qkv_bias_in    f32[3,16]
//   in   state_v_qkv_bias_in    f32[3,16]
//   in   power                  f32[]
//   in   power_1                f32[]
//   out  params_qkv_bias_out    f32[3,16]
//   out  state_m_qkv_bias_out   f32[3,16]
//   out  state_v_qkv_bias_out   f32[3,16]
//
//   state_m_qkv_bias_out = state_m_qkv_bias_in * 0.9 + grads_qkv_bias * 0.1
//   mul                  = state_v_qkv_bias_in * 0.999
//   state_v_qkv_bias_out = mul + grads_qkv_bias * 0.001 * grads_qkv_bias
//   add_1                = sqrt(state_v_qkv_bias_out / (1 - power_1)) + 1e-08
//   div                  = state_m_qkv_bias_out / (1 - power) / add_1
//   add                  = div + params_qkv_bias_in * 0.1
//   params_qkv_bias_out  = params_qkv_bias_in - add * 3e-04
//
// 2 blocks of 32 threads. Reads 776 B, writes 576 B.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 48;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
update_13(const float* params_qkv_bias_in,
          const float* __restrict__ grads_qkv_bias,
          const float* state_m_qkv_bias_in,
          const float* state_v_qkv_bias_in,
          const float* __restrict__ power,
          const float* __restrict__ power_1,
          float* params_qkv_bias_out,
          float* state_m_qkv_bias_out,
          float* state_v_qkv_bias_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  // adam
  const float grads_qkv_bias_value = grads_qkv_bias[element];
  const float state_m_qkv_bias_next =
      fmaf(grads_qkv_bias_value, 0.1f, state_m_qkv_bias_in[element] * 0.9f);
  const float mul = state_v_qkv_bias_in[element] * 0.999f;
  const float state_v_qkv_bias_next =
      fmaf(grads_qkv_bias_value * 0.001f, grads_qkv_bias_value, mul);

  // update
  const float params_qkv_bias_value = params_qkv_bias_in[element];
  const float div = state_m_qkv_bias_next / (1.0f - power[0]) /
                    (sqrtf(state_v_qkv_bias_next / (1.0f - power_1[0])) + 1e-8f);
  const float add = fmaf(params_qkv_bias_value, 0.1f, div);

  params_qkv_bias_out[element] = fmaf(-add, 0.0003f, params_qkv_bias_value);
  state_m_qkv_bias_out[element] = state_m_qkv_bias_next;
  state_v_qkv_bias_out[element] = state_v_qkv_bias_next;
}

}  // namespace

cudaError_t
launch_update_13(const float* params_qkv_bias_in,
                 const float* grads_qkv_bias,
                 const float* state_m_qkv_bias_in,
                 const float* state_v_qkv_bias_in,
                 const float* power,
                 const float* power_1,
                 float* params_qkv_bias_out,
                 float* state_m_qkv_bias_out,
                 float* state_v_qkv_bias_out,
                 cudaStream_t stream) {
  return launch(update_13,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, params_qkv_bias_in, grads_qkv_bias, state_m_qkv_bias_in,
                state_v_qkv_bias_in, power, power_1, params_qkv_bias_out, state_m_qkv_bias_out,
                state_v_qkv_bias_out);
}

}  // namespace adamw_update_kernels
