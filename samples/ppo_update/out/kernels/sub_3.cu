// sub_3: add, subtract, exponential, log, multiply, ... over f32[16,3].
//
//   in   sub           f32[3]
//   in   sub           f32[16,3]
//   in   sum           f32[16,3]
//   in   sum           f32[16,3]
//   in   dot           f32[32,3]
//   in   max           f32[32]
//   in   sum           f32[32]
//   in   scatter_add   f32[32,3]
//   in   sum           f32[32]
//   in   tanh          f32[32,16]
//   in   power         f32[]
//   in   power         f32[]
//   out  add           f32[16,3]
//   out  add           f32[16,3]
//   out  sub           f32[16,3]
//
//   dense   add, dot
//   loss    subtract, exponential, log, multiply, add, divide
//   epoch   multiply
//   adam    subtract, multiply, add
//   update  divide, sqrt, add, multiply, subtract
//
// 2 blocks of 32 threads. Reads 3.8 kB, writes 576 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 48;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
sub_3(const float* __restrict__ sub_in,
      const float* sub_in_1,
      const float* sum,
      const float* sum_1,
      const float* __restrict__ dot,
      const float* __restrict__ max,
      const float* __restrict__ sum_2,
      const float* __restrict__ scatter_add,
      const float* __restrict__ sum_3,
      const float* __restrict__ tanh_in,
      const float* __restrict__ power,
      const float* __restrict__ power_1,
      float* add_out,
      float* add_out_1,
      float* sub_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 3;
  const int column = element % 3;

  const float sub_in_1_value = sub_in_1[element];

  // dense
  const float sub_value = sub_in[column];
  float dot_1 = 0.0f;
  for (int k = 0; k < 32; ++k) {
    const int index = k * 3 + column;
    const float sub_1 = dot[index] + sub_value - max[k];
    const float sum_2_value = sum_2[k];
    const float sub_2 = sub_1 - logf(sum_2_value);
    const float reduce_sum = 0.0f + sum_3[k] / sum_2_value;
    const float exponential = expf(sub_2);
    const float add_any = fmaf(sub_2 * 0.0003125f, exponential, exponential * 0.0003125f);
    dot_1 = fmaf(fmaf(reduce_sum, expf(sub_1), add_any + scatter_add[index]), tanh_in[k * 16 + row],
                 dot_1);
  }

  // adam
  const float add_1 = fmaf(dot_1, 0.1f, sum[element] * 0.9f);
  const float add_2 = fmaf(dot_1 * 0.001f, dot_1, sum_1[element] * 0.999f);

  // update
  const float div = add_1 / (1.0f - power[0]) / (sqrtf(add_2 / (1.0f - power_1[0])) + 1e-8f);

  add_out[element] = add_1;
  add_out_1[element] = add_2;
  sub_out[element] = fmaf(-fmaf(sub_in_1_value, 0.0f, div), 0.0003f, sub_in_1_value);
}

}  // namespace

cudaError_t
launch_sub_3(const float* sub_in,
             const float* sub_in_1,
             const float* sum,
             const float* sum_1,
             const float* dot,
             const float* max,
             const float* sum_2,
             const float* scatter_add,
             const float* sum_3,
             const float* tanh_in,
             const float* power,
             const float* power_1,
             float* add_out,
             float* add_out_1,
             float* sub_out,
             cudaStream_t stream) {
  return launch(sub_3, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                sub_in, sub_in_1, sum, sum_1, dot, max, sum_2, scatter_add, sum_3, tanh_in, power,
                power_1, add_out, add_out_1, sub_out);
}

}  // namespace ppo_update_kernels
