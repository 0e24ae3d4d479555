// sub_4: subtract, multiply, add, divide, sqrt over f32[16].
//
//   in   params_layer0_down_bias    f32[16]
//   in   grads_layer0_down_bias     f32[16]
//   in   state_m_layer0_down_bias   f32[16]
//   in   state_v_layer0_down_bias   f32[16]
//   in   power                      f32[]
//   in   power                      f32[]
//   out  sub_4                      f32[16]
//   out  add_4                      f32[16]
//   out  add_36                     f32[16]
//
//   adam    subtract, multiply, add
//   update  divide, sqrt, add, multiply, subtract
//
// 1 block of 32 threads. Reads 264 B, writes 192 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 16;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
sub_4(const float* params_layer0_down_bias,
      const float* __restrict__ grads_layer0_down_bias,
      const float* state_m_layer0_down_bias,
      const float* state_v_layer0_down_bias,
      const float* __restrict__ power,
      const float* __restrict__ power_1,
      float* sub_4_out,
      float* add_4,
      float* add_36) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  // adam
  const float mul_1 = state_m_layer0_down_bias[element] * 0.9f;
  const float grads_layer0_down_bias_value = grads_layer0_down_bias[element];
  const float add_1 = fmaf(grads_layer0_down_bias_value, 0.1f, mul_1);
  const float mul_2 = state_v_layer0_down_bias[element] * 0.999f;
  const float mul_3 = grads_layer0_down_bias_value * 0.001f;
  const float add_2 = fmaf(mul_3, grads_layer0_down_bias_value, mul_2);

  // update
  const float params_layer0_down_bias_value = params_layer0_down_bias[element];
  const float div = add_1 / (1.0f - power[0]) / (sqrtf(add_2 / (1.0f - power_1[0])) + 1e-8f);
  const float add_3 = fmaf(params_layer0_down_bias_value, 0.1f, div);

  sub_4_out[element] = fmaf(-add_3, 0.0003f, params_layer0_down_bias_value);
  add_4[element] = add_1;
  add_36[element] = add_2;
}

}  // namespace

cudaError_t
launch_sub_4(const float* params_layer0_down_bias,
             const float* grads_layer0_down_bias,
             const float* state_m_layer0_down_bias,
             const float* state_v_layer0_down_bias,
             const float* power,
             const float* power_1,
             float* sub_4_out,
             float* add_4,
             float* add_36,
             cudaStream_t stream) {
  return launch(sub_4, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                params_layer0_down_bias, grads_layer0_down_bias, state_m_layer0_down_bias,
                state_v_layer0_down_bias, power, power_1, sub_4_out, add_4, add_36);
}

}  // namespace adamw_update_kernels
