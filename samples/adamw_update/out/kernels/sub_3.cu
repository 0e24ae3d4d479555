// sub_3: subtract, multiply, add, divide, sqrt over f32[64,16].
//
//   in   params_layer0_down    f32[64,16]
//   in   grads_layer0_down     f32[64,16]
//   in   state_m_layer0_down   f32[64,16]
//   in   state_v_layer0_down   f32[64,16]
//   in   power                 f32[]
//   in   power                 f32[]
//   out  sub_3                 f32[64,16]
//   out  add_3                 f32[64,16]
//   out  add_35                f32[64,16]
//
//   adam    subtract, multiply, add
//   update  divide, sqrt, add, multiply, subtract
//
// 32 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sub_3(const float* params_layer0_down,
      const float* __restrict__ grads_layer0_down,
      const float* state_m_layer0_down,
      const float* state_v_layer0_down,
      const float* __restrict__ power,
      const float* __restrict__ power_1,
      float* sub_3_out,
      float* add_3,
      float* add_35) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  // adam
  const float mul_1 = state_m_layer0_down[element] * 0.9f;
  const float grads_layer0_down_value = grads_layer0_down[element];
  const float add_1 = fmaf(grads_layer0_down_value, 0.1f, mul_1);
  const float mul_2 = state_v_layer0_down[element] * 0.999f;
  const float add_2 = fmaf(grads_layer0_down_value * 0.001f, grads_layer0_down_value, mul_2);

  // update
  const float params_layer0_down_value = params_layer0_down[element];
  const float div = add_1 / (1.0f - power[0]) / (sqrtf(add_2 / (1.0f - power_1[0])) + 1e-8f);
  const float add_4 = fmaf(params_layer0_down_value, 0.1f, div);

  sub_3_out[element] = fmaf(-add_4, 0.0003f, params_layer0_down_value);
  add_3[element] = add_1;
  add_35[element] = add_2;
}

}  // namespace

cudaError_t
launch_sub_3(const float* params_layer0_down,
             const float* grads_layer0_down,
             const float* state_m_layer0_down,
             const float* state_v_layer0_down,
             const float* power,
             const float* power_1,
             float* sub_3_out,
             float* add_3,
             float* add_35,
             cudaStream_t stream) {
  return launch(sub_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_layer0_down, grads_layer0_down, state_m_layer0_down, state_v_layer0_down,
                power, power_1, sub_3_out, add_3, add_35);
}

}  // namespace adamw_update_kernels
