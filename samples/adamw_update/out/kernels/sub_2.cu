// sub_2: subtract, multiply, add, divide, sqrt over f32[16].
//
//   in   params_final_norm    f32[16]
//   in   grads_final_norm     f32[16]
//   in   state_m_final_norm   f32[16]
//   in   state_v_final_norm   f32[16]
//   in   power                f32[]
//   in   power                f32[]
//   out  sub_2                f32[16]
//   out  add_2                f32[16]
//   out  add_34               f32[16]
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
sub_2(const float* params_final_norm,
      const float* __restrict__ grads_final_norm,
      const float* state_m_final_norm,
      const float* state_v_final_norm,
      const float* __restrict__ power,
      const float* __restrict__ power_1,
      float* sub_2_out,
      float* add_2,
      float* add_34) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  // adam
  const float mul_1 = state_m_final_norm[element] * 0.9f;
  const float grads_final_norm_value = grads_final_norm[element];
  const float add_1 = fmaf(grads_final_norm_value, 0.1f, mul_1);
  const float mul_2 = state_v_final_norm[element] * 0.999f;
  const float add_3 = fmaf(grads_final_norm_value * 0.001f, grads_final_norm_value, mul_2);

  // update
  const float params_final_norm_value = params_final_norm[element];
  const float div = add_1 / (1.0f - power[0]) / (sqrtf(add_3 / (1.0f - power_1[0])) + 1e-8f);
  const float add_4 = fmaf(params_final_norm_value, 0.1f, div);

  sub_2_out[element] = fmaf(-add_4, 0.0003f, params_final_norm_value);
  add_2[element] = add_1;
  add_34[element] = add_3;
}

}  // namespace

cudaError_t
launch_sub_2(const float* params_final_norm,
             const float* grads_final_norm,
             const float* state_m_final_norm,
             const float* state_v_final_norm,
             const float* power,
             const float* power_1,
             float* sub_2_out,
             float* add_2,
             float* add_34,
             cudaStream_t stream) {
  return launch(sub_2, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                params_final_norm, grads_final_norm, state_m_final_norm, state_v_final_norm, power,
                power_1, sub_2_out, add_2, add_34);
}

}  // namespace adamw_update_kernels
