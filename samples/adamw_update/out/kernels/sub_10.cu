// sub_10: subtract, multiply, add, divide, sqrt over f32[16,16].
//
//   in   params_layer0_out    f32[16,16]
//   in   grads_layer0_out     f32[16,16]
//   in   state_m_layer0_out   f32[16,16]
//   in   state_v_layer0_out   f32[16,16]
//   in   power                f32[]
//   in   power                f32[]
//   out  sub_10               f32[16,16]
//   out  add_10               f32[16,16]
//   out  add_42               f32[16,16]
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
sub_10(const float* params_layer0_out,
       const float* __restrict__ grads_layer0_out,
       const float* state_m_layer0_out,
       const float* state_v_layer0_out,
       const float* __restrict__ power,
       const float* __restrict__ power_1,
       float* sub_10_out,
       float* add_10,
       float* add_42) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  // adam
  const float mul_1 = state_m_layer0_out[element] * 0.9f;
  const float grads_layer0_out_value = grads_layer0_out[element];
  const float add_1 = fmaf(grads_layer0_out_value, 0.1f, mul_1);
  const float mul_2 = state_v_layer0_out[element] * 0.999f;
  const float add_2 = fmaf(grads_layer0_out_value * 0.001f, grads_layer0_out_value, mul_2);

  // update
  const float params_layer0_out_value = params_layer0_out[element];
  const float div = add_1 / (1.0f - power[0]) / (sqrtf(add_2 / (1.0f - power_1[0])) + 1e-8f);
  const float add_3 = fmaf(params_layer0_out_value, 0.1f, div);

  sub_10_out[element] = fmaf(-add_3, 0.0003f, params_layer0_out_value);
  add_10[element] = add_1;
  add_42[element] = add_2;
}

}  // namespace

cudaError_t
launch_sub_10(const float* params_layer0_out,
              const float* grads_layer0_out,
              const float* state_m_layer0_out,
              const float* state_v_layer0_out,
              const float* power,
              const float* power_1,
              float* sub_10_out,
              float* add_10,
              float* add_42,
              cudaStream_t stream) {
  return launch(sub_10, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_layer0_out, grads_layer0_out, state_m_layer0_out, state_v_layer0_out, power,
                power_1, sub_10_out, add_10, add_42);
}

}  // namespace adamw_update_kernels
