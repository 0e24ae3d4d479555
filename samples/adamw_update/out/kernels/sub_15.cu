// sub_15: subtract, multiply, add, divide, sqrt over f32[64].
//
//   in   params_layer0_up_bias    f32[64]
//   in   grads_layer0_up_bias     f32[64]
//   in   state_m_layer0_up_bias   f32[64]
//   in   state_v_layer0_up_bias   f32[64]
//   in   power                    f32[]
//   in   power                    f32[]
//   out  sub_15                   f32[64]
//   out  add_15                   f32[64]
//   out  add_47                   f32[64]
//
//   adam    subtract, multiply, add
//   update  divide, sqrt, add, multiply, subtract
//
// 2 blocks of 32 threads. Reads 1.0 kB, writes 768 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 64;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sub_15(const float* params_layer0_up_bias,
       const float* __restrict__ grads_layer0_up_bias,
       const float* state_m_layer0_up_bias,
       const float* state_v_layer0_up_bias,
       const float* __restrict__ power,
       const float* __restrict__ power_1,
       float* sub_15_out,
       float* add_15,
       float* add_47) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  // adam
  const float mul_1 = state_m_layer0_up_bias[element] * 0.9f;
  const float grads_layer0_up_bias_value = grads_layer0_up_bias[element];
  const float add_1 = fmaf(grads_layer0_up_bias_value, 0.1f, mul_1);
  const float mul_2 = state_v_layer0_up_bias[element] * 0.999f;
  const float mul_3 = grads_layer0_up_bias_value * 0.001f;
  const float add_2 = fmaf(mul_3, grads_layer0_up_bias_value, mul_2);

  // update
  const float params_layer0_up_bias_value = params_layer0_up_bias[element];
  const float div = add_1 / (1.0f - power[0]) / (sqrtf(add_2 / (1.0f - power_1[0])) + 1e-8f);
  const float add_3 = fmaf(params_layer0_up_bias_value, 0.1f, div);

  sub_15_out[element] = fmaf(-add_3, 0.0003f, params_layer0_up_bias_value);
  add_15[element] = add_1;
  add_47[element] = add_2;
}

}  // namespace

cudaError_t
launch_sub_15(const float* params_layer0_up_bias,
              const float* grads_layer0_up_bias,
              const float* state_m_layer0_up_bias,
              const float* state_v_layer0_up_bias,
              const float* power,
              const float* power_1,
              float* sub_15_out,
              float* add_15,
              float* add_47,
              cudaStream_t stream) {
  return launch(sub_15, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_layer0_up_bias, grads_layer0_up_bias, state_m_layer0_up_bias,
                state_v_layer0_up_bias, power, power_1, sub_15_out, add_15, add_47);
}

}  // namespace adamw_update_kernels
