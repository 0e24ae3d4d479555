// update_2: sqrt, subtract, multiply, add, divide over f32[16].
//
//   in   params_final_norm_in     f32[16]
//   in   grads_final_norm         f32[16]
//   in   state_m_final_norm_in    f32[16]
//   in   state_v_final_norm_in    f32[16]
//   in   power                    f32[]
//   in   power_1                  f32[]
//   out  params_final_norm_out    f32[16]
//   out  state_m_final_norm_out   f32[16]
//   out  state_v_final_norm_out   f32[16]
//
//   mul_1                  = state_m_final_norm_in * 0.9
//   state_m_final_norm_out = mul_1 + grads_final_norm * 0.1
//   mul_2                  = state_v_final_norm_in * 0.999
//   state_v_final_norm_out = mul_2 + grads_final_norm * 0.001 * grads_final_norm
//   add_1                  = sqrt(state_v_final_norm_out / (1 - power_1)) + 1e-08
//   div                    = state_m_final_norm_out / (1 - power) / add_1
//   add                    = div + params_final_norm_in * 0.1
//   params_final_norm_out  = params_final_norm_in - add * 3e-04
//
// One block of 32 threads. Reads 264 B, writes 192 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 16;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
update_2(const float* params_final_norm_in,
         const float* __restrict__ grads_final_norm,
         const float* state_m_final_norm_in,
         const float* state_v_final_norm_in,
         const float* __restrict__ power,
         const float* __restrict__ power_1,
         float* params_final_norm_out,
         float* state_m_final_norm_out,
         float* state_v_final_norm_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  // adam
  const float mul_1 = state_m_final_norm_in[element] * 0.9f;
  const float grads_final_norm_value = grads_final_norm[element];
  const float state_m_final_norm_next = fmaf(grads_final_norm_value, 0.1f, mul_1);
  const float mul_2 = state_v_final_norm_in[element] * 0.999f;
  const float state_v_final_norm_next =
      fmaf(grads_final_norm_value * 0.001f, grads_final_norm_value, mul_2);

  // update
  const float params_final_norm_value = params_final_norm_in[element];
  const float div = state_m_final_norm_next / (1.0f - power[0]) /
                    (sqrtf(state_v_final_norm_next / (1.0f - power_1[0])) + 1e-8f);
  const float add = fmaf(params_final_norm_value, 0.1f, div);

  params_final_norm_out[element] = fmaf(-add, 0.0003f, params_final_norm_value);
  state_m_final_norm_out[element] = state_m_final_norm_next;
  state_v_final_norm_out[element] = state_v_final_norm_next;
}

}  // namespace

cudaError_t
launch_update_2(const float* params_final_norm_in,
                const float* grads_final_norm,
                const float* state_m_final_norm_in,
                const float* state_v_final_norm_in,
                const float* power,
                const float* power_1,
                float* params_final_norm_out,
                float* state_m_final_norm_out,
                float* state_v_final_norm_out,
                cudaStream_t stream) {
  return launch(update_2,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, params_final_norm_in, grads_final_norm, state_m_final_norm_in,
                state_v_final_norm_in, power, power_1, params_final_norm_out,
                state_m_final_norm_out, state_v_final_norm_out);
}

}  // namespace adamw_update_kernels
