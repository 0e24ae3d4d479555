// sub_1: subtract, multiply, dot, add, divide, ... over f32[16,16].
//
//   in   sub       f32[16,16]
//   in   sum       f32[16,16]
//   in   sum       f32[16,16]
//   in   add_any   f32[32,16]
//   in   tanh      f32[32,16]
//   in   power     f32[]
//   in   power     f32[]
//   out  add       f32[16,16]
//   out  add       f32[16,16]
//   out  sub       f32[16,16]
//
//   adam    subtract, multiply, add
//   dense   dot
//   update  divide, sqrt, add, multiply, subtract
//
// 8 blocks of 32 threads. Reads 7.2 kB, writes 3.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 256;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sub_1(const float* sub_in,
      const float* sum,
      const float* sum_1,
      const float* __restrict__ add_any,
      const float* __restrict__ tanh_in,
      const float* __restrict__ power,
      const float* __restrict__ power_1,
      float* add_out,
      float* add_out_1,
      float* sub_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  const float sub_value = sub_in[element];

  // dense
  float dot = 0.0f;
  for (int k = 0; k < 32; ++k) dot = fmaf(add_any[k * 16 + column], tanh_in[k * 16 + row], dot);

  // adam
  const float add_1 = fmaf(dot, 0.1f, sum[element] * 0.9f);
  const float add_2 = fmaf(dot * 0.001f, dot, sum_1[element] * 0.999f);

  // update
  const float div = add_1 / (1.0f - power[0]) / (sqrtf(add_2 / (1.0f - power_1[0])) + 1e-8f);

  add_out[element] = add_1;
  add_out_1[element] = add_2;
  sub_out[element] = fmaf(-fmaf(sub_value, 0.0f, div), 0.0003f, sub_value);
}

}  // namespace

cudaError_t
launch_sub_1(const float* sub_in,
             const float* sum,
             const float* sum_1,
             const float* add_any,
             const float* tanh_in,
             const float* power,
             const float* power_1,
             float* add_out,
             float* add_out_1,
             float* sub_out,
             cudaStream_t stream) {
  return launch(sub_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sub_in, sum, sum_1, add_any, tanh_in, power, power_1, add_out, add_out_1, sub_out);
}

}  // namespace ppo_update_kernels
