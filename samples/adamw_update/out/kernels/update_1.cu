// update_1: sqrt, multiply, add, subtract, divide over f32[64,16].
//
//   in   params_in     f32[64,16]
//   in   grads         f32[64,16]
//   in   state_m_in    f32[64,16]
//   in   state_v_in    f32[64,16]
//   in   power         f32[]
//   in   power_1       f32[]
//   out  params_out    f32[64,16]
//   out  state_m_out   f32[64,16]
//   out  state_v_out   f32[64,16]
//
//   state_m_out = state_m_in * 0.9 + grads * 0.1
//   mul         = state_v_in * 0.999
//   state_v_out = mul + grads * 0.001 * grads
//   div         = state_m_out / (1 - power) / (sqrt(state_v_out / (1 - power_1)) + 1e-08)
//   params_out  = params_in - (div + params_in * 0.1) * 3e-04
//
// 32 blocks of 32 threads. Reads 16.4 kB, writes 12.3 kB.
// Launched in 5 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
update_1(const float* params_in,
         const float* __restrict__ grads,
         const float* state_m_in,
         const float* state_v_in,
         const float* __restrict__ power,
         const float* __restrict__ power_1,
         float* params_out,
         float* state_m_out,
         float* state_v_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const float params_value = params_in[element];

  // adam
  const float grads_value = grads[element];
  const float state_m_next = fmaf(grads_value, 0.1f, state_m_in[element] * 0.9f);
  const float mul = state_v_in[element] * 0.999f;
  const float state_v_next = fmaf(grads_value * 0.001f, grads_value, mul);

  // update
  const float div =
      state_m_next / (1.0f - power[0]) / (sqrtf(state_v_next / (1.0f - power_1[0])) + 1e-8f);

  params_out[element] = fmaf(-fmaf(params_value, 0.1f, div), 0.0003f, params_value);
  state_m_out[element] = state_m_next;
  state_v_out[element] = state_v_next;
}

}  // namespace

cudaError_t
launch_update_1(const float* params_in,
                const float* grads,
                const float* state_m_in,
                const float* state_v_in,
                const float* power,
                const float* power_1,
                float* params_out,
                float* state_m_out,
                float* state_v_out,
                cudaStream_t stream) {
  return launch(update_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_in, grads, state_m_in, state_v_in, power, power_1, params_out, state_m_out,
                state_v_out);
}

}  // namespace adamw_update_kernels
