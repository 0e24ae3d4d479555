// power: power, add, convert over s32[].
//
//   in   state_step_in    s32[]
//   out  state_step_out   s32[]
//   out  power_1_out      f32[]
//   out  power_2_out      f32[]
//
//   state_step_out = state_step_in + 1
//   convert        = f32(state_step_out)
//   power_1_out    = power(0.9, convert)
//   power_2_out    = power(0.999, convert)
//
// One thread. Reads 4 B, writes 12 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
power(const int* state_step_in,
      int* state_step_out,
      float* __restrict__ power_1_out,
      float* __restrict__ power_2_out) {
  const int state_step_next = state_step_in[0] + 1;
  const float convert = float(state_step_next);

  state_step_out[0] = state_step_next;
  power_1_out[0] = powf(0.9f, convert);
  power_2_out[0] = powf(0.999f, convert);
}

}  // namespace

cudaError_t
launch_power(const int* state_step_in,
             int* state_step_out,
             float* power_1_out,
             float* power_2_out,
             cudaStream_t stream) {
  return launch(power, {.grid = 1, .block = kThreads}, stream,
                state_step_in, state_step_out, power_1_out, power_2_out);
}

}  // namespace adamw_update_kernels
