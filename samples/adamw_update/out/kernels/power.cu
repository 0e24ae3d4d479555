// power: convert, power over f32[].
//
//   in   add_32   s32[]
//   out  power    f32[]
//   out  power    f32[]
//
//   convert = convert(add_32)
//   power_1 = power(0.9, convert)
//   power_2 = power(0.999, convert)
//
// 1 block of 1 threads. Reads 4 B, writes 8 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
power(const int* __restrict__ add_32,
      float* __restrict__ power_out,
      float* __restrict__ power_out_1) {
  const float convert = float(add_32[0]);

  power_out[0] = powf(0.9f, convert);
  power_out_1[0] = powf(0.999f, convert);
}

}  // namespace

cudaError_t
launch_power(const int* add_32, float* power_out, float* power_out_1, cudaStream_t stream) {
  return launch(power, {.grid = 1, .block = kThreads}, stream, add_32, power_out, power_out_1);
}

}  // namespace adamw_update_kernels
