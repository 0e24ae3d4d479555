// sub_4: multiply, reduce, add, subtract, divide, ... over f32[16].
//
//   in   sub       f32[16]
//   in   sub       f32[16]
//   in   sub       f32[16]
//   in   sub       f32[16]
//   in   sub       f32[1]
//   in   sub       f32[16,1]
//   in   sum       f32[16]
//   in   sum       f32[16]
//   in   sum       f32[16]
//   in   sum       f32[16]
//   in   sum       f32[16,1]
//   in   sum       f32[16]
//   in   sum       f32[16]
//   in   sum       f32[16]
//   in   sum       f32[16]
//   in   sum       f32[16,1]
//   in   reshape   f32[4,32]
//   in   add_any   f32[32,16]
//   in   power     f32[]
//   in   power     f32[]
//   in   add_any   f32[32,16]
//   in   add_any   f32[32,16]
//   in   add_any   f32[32,16]
//   in   dot       f32[32,1]
//   in   tanh      f32[32,16]
//   out  add       f32[16]
//   out  add       f32[16]
//   out  sub       f32[16]
//   out  add       f32[16]
//   out  add       f32[16]
//   out  sub       f32[16]
//   out  add       f32[16]
//   out  add       f32[16]
//   out  sub       f32[16]
//   out  add       f32[16]
//   out  add       f32[16]
//   out  sub       f32[16]
//   out  add       f32[16,1]
//   out  add       f32[16,1]
//   out  sub       f32[16,1]
//
//   adam    multiply, add, subtract
//   dense   reduce, add, dot
//   update  divide, sqrt, add, multiply, subtract
//   loss    subtract, multiply
//   epoch   multiply
//
// 1 block of 32 threads. Reads 11.5 kB, writes 960 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 16;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
sub_4(const float* sub_in,
      const float* sub_in_1,
      const float* sub_in_2,
      const float* sub_in_3,
      const float* __restrict__ sub_in_4,
      const float* sub_in_5,
      const float* sum,
      const float* sum_1,
      const float* sum_2,
      const float* sum_3,
      const float* sum_4,
      const float* sum_5,
      const float* sum_6,
      const float* sum_7,
      const float* sum_8,
      const float* sum_9,
      const float* __restrict__ reshape,
      const float* __restrict__ add_any,
      const float* __restrict__ power,
      const float* __restrict__ power_1,
      const float* __restrict__ add_any_1,
      const float* __restrict__ add_any_2,
      const float* __restrict__ add_any_3,
      const float* __restrict__ dot,
      const float* __restrict__ tanh_in,
      float* add_out,
      float* add_out_1,
      float* sub_out,
      float* add_out_2,
      float* add_out_3,
      float* sub_out_1,
      float* add_out_4,
      float* add_out_5,
      float* sub_out_2,
      float* add_out_6,
      float* add_out_7,
      float* sub_out_3,
      float* add_out_8,
      float* add_out_9,
      float* sub_out_4,
      int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  // dense
  float sum_10 = 0.0f;
  for (int k = 0; k < 32; ++k) sum_10 += add_any[k * kElements + element];
  const float reduce_sum_1 = 0.0f + sum_10;
  float sum_11 = 0.0f;
  for (int k = 0; k < 32; ++k) sum_11 += add_any_1[k * kElements + element];
  const float reduce_sum_2 = 0.0f + sum_11;
  float sum_12 = 0.0f;
  for (int k = 0; k < 32; ++k) sum_12 += add_any_2[k * kElements + element];
  const float reduce_sum_3 = 0.0f + sum_12;
  float sum_13 = 0.0f;
  for (int k = 0; k < 32; ++k) sum_13 += add_any_3[k * kElements + element];
  const float reduce_sum_4 = 0.0f + sum_13;
  const float sub_in_4_value = sub_in_4[0];
  float dot_1 = 0.0f;
  for (int k = 0; k < 32; ++k) {
    dot_1 = fmaf((dot[k] + sub_in_4_value - reshape[t * 32 + k]) * 2.0f * 0.015625f,
                 tanh_in[k * kElements + element], dot_1);
  }

  // adam
  const float add_1 = fmaf(reduce_sum_1, 0.1f, sum[element] * 0.9f);
  const float add_2 = fmaf(reduce_sum_2, 0.1f, sum_1[element] * 0.9f);
  const float add_3 = fmaf(reduce_sum_3, 0.1f, sum_2[element] * 0.9f);
  const float add_4 = fmaf(reduce_sum_4, 0.1f, sum_3[element] * 0.9f);
  const float add_5 = fmaf(dot_1, 0.1f, sum_4[element] * 0.9f);
  const float add_6 = fmaf(reduce_sum_1 * 0.001f, reduce_sum_1, sum_5[element] * 0.999f);
  const float add_7 = fmaf(reduce_sum_2 * 0.001f, reduce_sum_2, sum_6[element] * 0.999f);
  const float add_8 = fmaf(reduce_sum_3 * 0.001f, reduce_sum_3, sum_7[element] * 0.999f);
  const float add_9 = fmaf(reduce_sum_4 * 0.001f, reduce_sum_4, sum_8[element] * 0.999f);
  const float add_10 = fmaf(dot_1 * 0.001f, dot_1, sum_9[element] * 0.999f);
  const float sub_1 = 1.0f - power[0];
  const float sub_2 = 1.0f - power_1[0];

  // update
  const float sub_value = sub_in[element];
  const float add_11 = fmaf(sub_value, 0.0f, add_1 / sub_1 / (sqrtf(add_6 / sub_2) + 1e-8f));
  const float sub_in_1_value = sub_in_1[element];
  const float add_12 = fmaf(sub_in_1_value, 0.0f, add_2 / sub_1 / (sqrtf(add_7 / sub_2) + 1e-8f));
  const float sub_in_2_value = sub_in_2[element];
  const float add_13 = fmaf(sub_in_2_value, 0.0f, add_3 / sub_1 / (sqrtf(add_8 / sub_2) + 1e-8f));
  const float sub_in_3_value = sub_in_3[element];
  const float add_14 = fmaf(sub_in_3_value, 0.0f, add_4 / sub_1 / (sqrtf(add_9 / sub_2) + 1e-8f));
  const float sub_in_5_value = sub_in_5[element];
  const float add_15 = fmaf(sub_in_5_value, 0.0f, add_5 / sub_1 / (sqrtf(add_10 / sub_2) + 1e-8f));

  add_out[element] = add_1;
  add_out_1[element] = add_6;
  sub_out[element] = fmaf(-add_11, 0.0003f, sub_value);
  add_out_2[element] = add_2;
  add_out_3[element] = add_7;
  sub_out_1[element] = fmaf(-add_12, 0.0003f, sub_in_1_value);
  add_out_4[element] = add_3;
  add_out_5[element] = add_8;
  sub_out_2[element] = fmaf(-add_13, 0.0003f, sub_in_2_value);
  add_out_6[element] = add_4;
  add_out_7[element] = add_9;
  sub_out_3[element] = fmaf(-add_14, 0.0003f, sub_in_3_value);
  add_out_8[element] = add_5;
  add_out_9[element] = add_10;
  sub_out_4[element] = fmaf(-add_15, 0.0003f, sub_in_5_value);
}

}  // namespace

cudaError_t
launch_sub_4(const float* sub_in,
             const float* sub_in_1,
             const float* sub_in_2,
             const float* sub_in_3,
             const float* sub_in_4,
             const float* sub_in_5,
             const float* sum,
             const float* sum_1,
             const float* sum_2,
             const float* sum_3,
             const float* sum_4,
             const float* sum_5,
             const float* sum_6,
             const float* sum_7,
             const float* sum_8,
             const float* sum_9,
             const float* reshape,
             const float* add_any,
             const float* power,
             const float* power_1,
             const float* add_any_1,
             const float* add_any_2,
             const float* add_any_3,
             const float* dot,
             const float* tanh_in,
             float* add_out,
             float* add_out_1,
             float* sub_out,
             float* add_out_2,
             float* add_out_3,
             float* sub_out_1,
             float* add_out_4,
             float* add_out_5,
             float* sub_out_2,
             float* add_out_6,
             float* add_out_7,
             float* sub_out_3,
             float* add_out_8,
             float* add_out_9,
             float* sub_out_4,
             int t,
             cudaStream_t stream) {
  return launch(sub_4, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                sub_in, sub_in_1, sub_in_2, sub_in_3, sub_in_4, sub_in_5, sum, sum_1, sum_2, sum_3,
                sum_4, sum_5, sum_6, sum_7, sum_8, sum_9, reshape, add_any, power, power_1,
                add_any_1, add_any_2, add_any_3, dot, tanh_in, add_out, add_out_1, sub_out,
                add_out_2, add_out_3, sub_out_1, add_out_4, add_out_5, sub_out_2, add_out_6,
                add_out_7, sub_out_3, add_out_8, add_out_9, sub_out_4, t);
}

}  // namespace ppo_update_kernels
