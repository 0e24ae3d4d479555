// update_10: sqrt, subtract, multiply, add, divide over f32[16,16].
//
//   in   params_out_in     f32[16,16]
//   in   grads_out         f32[16,16]
//   in   state_m_out_in    f32[16,16]
//   in   state_v_out_in    f32[16,16]
//   in   power             f32[]
//   in   power_1           f32[]
//   out  params_out_out    f32[16,16]
//   out  state_m_out_out   f32[16,16]
//   out  state_v_out_out   f32[16,16]
//
//   state_m_out_out = state_m_out_in * 0.9 + grads_out * 0.1
//   mul             = state_v_out_in * 0.999
//   state_v_out_out = mul + grads_out * 0.001 * grads_out
//   add             = sqrt(state_v_out_out / (1 - power_1)) + 1e-08
//   div             = state_m_out_out / (1 - power) / add
//   params_out_out  = params_out_in - (div + params_out_in * 0.1) * 3e-04
//
// 8 blocks of 32 threads. Reads 4.1 kB, writes 3.1 kB.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kElements = 256;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
update_10(const float* params_out_in,
          const float* __restrict__ grads_out,
          const float* state_m_out_in,
          const float* state_v_out_in,
          const float* __restrict__ power,
          const float* __restrict__ power_1,
          float* params_out_out,
          float* state_m_out_out,
          float* state_v_out_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const float params_out_value = params_out_in[element];

  // adam
  const float grads_out_value = grads_out[element];
  const float state_m_out = fmaf(grads_out_value, 0.1f, state_m_out_in[element] * 0.9f);
  const float mul = state_v_out_in[element] * 0.999f;
  const float state_v_out = fmaf(grads_out_value * 0.001f, grads_out_value, mul);

  // update
  const float div =
      state_m_out / (1.0f - power[0]) / (sqrtf(state_v_out / (1.0f - power_1[0])) + 1e-8f);

  params_out_out[element] = fmaf(-fmaf(params_out_value, 0.1f, div), 0.0003f, params_out_value);
  state_m_out_out[element] = state_m_out;
  state_v_out_out[element] = state_v_out;
}

}  // namespace

cudaError_t
launch_update_10(const float* params_out_in,
                 const float* grads_out,
                 const float* state_m_out_in,
                 const float* state_v_out_in,
                 const float* power,
                 const float* power_1,
                 float* params_out_out,
                 float* state_m_out_out,
                 float* state_v_out_out,
                 cudaStream_t stream) {
  return launch(update_10, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_out_in, grads_out, state_m_out_in, state_v_out_in, power, power_1,
                params_out_out, state_m_out_out, state_v_out_out);
}

}  // namespace adamw_update_kernels
