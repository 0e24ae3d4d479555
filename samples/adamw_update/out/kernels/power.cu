// power: power, convert over f32[].
//
//   in   state_step    s32[]
//   out  power_out     f32[]
//   out  power_1_out   f32[]
//
//   convert     = f32(state_step)
//   power_out   = power(0.9, convert)
//   power_1_out = power(0.999, convert)
//
// One thread. Reads 4 B, writes 8 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
power(const int* __restrict__ state_step,
      float* __restrict__ power_out,
      float* __restrict__ power_1_out) {
  const float convert = float(state_step[0]);

  power_out[0] = powf(0.9f, convert);
  power_1_out[0] = powf(0.999f, convert);
}

}  // namespace

cudaError_t
launch_power(const int* state_step, float* power_out, float* power_1_out, cudaStream_t stream) {
  return launch(power, {.grid = 1, .block = kThreads}, stream, state_step, power_out, power_1_out);
}

}  // namespace adamw_update_kernels
