// power_1: convert, power over f32[].
//
//   in   add_32   s32[]
//   out  power    f32[]
//
//   convert = convert(add_32)
//   power   = power(0.9, convert)
//
// 1 block of 1 threads. Reads 4 B, writes 4 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace adamw_update_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
power_1(const int* __restrict__ add_32, float* __restrict__ power) {
  power[0] = powf(0.9f, float(add_32[0]));
}

}  // namespace

cudaError_t
launch_power_1(const int* add_32, float* power, cudaStream_t stream) {
  return launch(power_1, {.grid = 1, .block = kThreads}, stream, add_32, power);
}

}  // namespace adamw_update_kernels
