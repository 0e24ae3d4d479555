// sub_5: subtract, multiply, add, divide, sqrt over f32[16,16].
//
//   in   params_layer0_k    f32[16,16]
//   in   grads_layer0_k     f32[16,16]
//   in   state_m_layer0_k   f32[16,16]
//   in   state_v_layer0_k   f32[16,16]
//   in   power              f32[]
//   in   power              f32[]
//   out  sub_5              f32[16,16]
//   out  add_5              f32[16,16]
//   out  add_37             f32[16,16]
//
//   adam    subtract, multiply, add
//   update  divide, sqrt, add, multiply, subtract
//
// 8 blocks of 32 threads. Reads 4.1 kB, writes 3.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 256;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sub_5(const float* params_layer0_k,
      const float* __restrict__ grads_layer0_k,
      const float* state_m_layer0_k,
      const float* state_v_layer0_k,
      const float* __restrict__ power,
      const float* __restrict__ power_1,
      float* sub_5_out,
      float* add_5,
      float* add_37) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  // adam
  const float grads_layer0_k_value = grads_layer0_k[element];
  const float add_1 = fmaf(grads_layer0_k_value, 0.1f, state_m_layer0_k[element] * 0.9f);
  const float mul = state_v_layer0_k[element] * 0.999f;
  const float add_2 = fmaf(grads_layer0_k_value * 0.001f, grads_layer0_k_value, mul);

  // update
  const float params_layer0_k_value = params_layer0_k[element];
  const float div = add_1 / (1.0f - power[0]) / (sqrtf(add_2 / (1.0f - power_1[0])) + 1e-8f);
  const float add_3 = fmaf(params_layer0_k_value, 0.1f, div);

  sub_5_out[element] = fmaf(-add_3, 0.0003f, params_layer0_k_value);
  add_5[element] = add_1;
  add_37[element] = add_2;
}

}  // namespace

cudaError_t
launch_sub_5(const float* params_layer0_k,
             const float* grads_layer0_k,
             const float* state_m_layer0_k,
             const float* state_v_layer0_k,
             const float* power,
             const float* power_1,
             float* sub_5_out,
             float* add_5,
             float* add_37,
             cudaStream_t stream) {
  return launch(sub_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_layer0_k, grads_layer0_k, state_m_layer0_k, state_v_layer0_k, power, power_1,
                sub_5_out, add_5, add_37);
}

}  // namespace adamw_update_kernels
