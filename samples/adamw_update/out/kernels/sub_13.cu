// sub_13: subtract, multiply, add, divide, sqrt over f32[3,16].
//
//   in   params_layer0_qkv_bias    f32[3,16]
//   in   grads_layer0_qkv_bias     f32[3,16]
//   in   state_m_layer0_qkv_bias   f32[3,16]
//   in   state_v_layer0_qkv_bias   f32[3,16]
//   in   power                     f32[]
//   in   power                     f32[]
//   out  sub_13                    f32[3,16]
//   out  add_13                    f32[3,16]
//   out  add_45                    f32[3,16]
//
//   adam    subtract, multiply, add
//   update  divide, sqrt, add, multiply, subtract
//
// 2 blocks of 32 threads. Reads 776 B, writes 576 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 48;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
sub_13(const float* params_layer0_qkv_bias,
       const float* __restrict__ grads_layer0_qkv_bias,
       const float* state_m_layer0_qkv_bias,
       const float* state_v_layer0_qkv_bias,
       const float* __restrict__ power,
       const float* __restrict__ power_1,
       float* sub_13_out,
       float* add_13,
       float* add_45) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  // adam
  const float mul_1 = state_m_layer0_qkv_bias[element] * 0.9f;
  const float grads_layer0_qkv_bias_value = grads_layer0_qkv_bias[element];
  const float add_1 = fmaf(grads_layer0_qkv_bias_value, 0.1f, mul_1);
  const float mul_2 = state_v_layer0_qkv_bias[element] * 0.999f;
  const float mul_3 = grads_layer0_qkv_bias_value * 0.001f;
  const float add_2 = fmaf(mul_3, grads_layer0_qkv_bias_value, mul_2);

  // update
  const float params_layer0_qkv_bias_value = params_layer0_qkv_bias[element];
  const float div = add_1 / (1.0f - power[0]) / (sqrtf(add_2 / (1.0f - power_1[0])) + 1e-8f);
  const float add_3 = fmaf(params_layer0_qkv_bias_value, 0.1f, div);

  sub_13_out[element] = fmaf(-add_3, 0.0003f, params_layer0_qkv_bias_value);
  add_13[element] = add_1;
  add_45[element] = add_2;
}

}  // namespace

cudaError_t
launch_sub_13(const float* params_layer0_qkv_bias,
              const float* grads_layer0_qkv_bias,
              const float* state_m_layer0_qkv_bias,
              const float* state_v_layer0_qkv_bias,
              const float* power,
              const float* power_1,
              float* sub_13_out,
              float* add_13,
              float* add_45,
              cudaStream_t stream) {
  return launch(sub_13, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                params_layer0_qkv_bias, grads_layer0_qkv_bias, state_m_layer0_qkv_bias,
                state_v_layer0_qkv_bias, power, power_1, sub_13_out, add_13, add_45);
}

}  // namespace adamw_update_kernels
