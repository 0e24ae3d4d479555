// sub_5: subtract, multiply, dot, add, divide, ... over f32[6,16].
//
//   in   sub       f32[6,16]
//   in   sub       f32[6,16]
//   in   sum       f32[6,16]
//   in   sum       f32[6,16]
//   in   sum       f32[6,16]
//   in   sum       f32[6,16]
//   in   reshape   f32[4,32,6]
//   in   add_any   f32[32,16]
//   in   power     f32[]
//   in   power     f32[]
//   in   add_any   f32[32,16]
//   out  add       f32[6,16]
//   out  add       f32[6,16]
//   out  sub       f32[6,16]
//   out  add       f32[6,16]
//   out  add       f32[6,16]
//   out  sub       f32[6,16]
//
//   adam    subtract, multiply, add
//   dense   dot
//   update  divide, sqrt, add, multiply, subtract
//
// 3 blocks of 32 threads. Reads 7.9 kB, writes 2.3 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 96;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sub_5(const float* sub_in,
      const float* sub_in_1,
      const float* sum,
      const float* sum_1,
      const float* sum_2,
      const float* sum_3,
      const float* __restrict__ reshape,
      const float* __restrict__ add_any,
      const float* __restrict__ power,
      const float* __restrict__ power_1,
      const float* __restrict__ add_any_1,
      float* add_out,
      float* add_out_1,
      float* sub_out,
      float* add_out_2,
      float* add_out_3,
      float* sub_out_1,
      int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  // dense
  float dot_1 = 0.0f;
  for (int k = 0; k < 32; ++k) {
    dot_1 = fmaf(add_any[k * 16 + column], reshape[t * 192 + k * 6 + row], dot_1);
  }
  float dot_2 = 0.0f;
  for (int k = 0; k < 32; ++k) {
    dot_2 = fmaf(add_any_1[k * 16 + column], reshape[t * 192 + k * 6 + row], dot_2);
  }

  // adam
  const float add_1 = fmaf(dot_1, 0.1f, sum[element] * 0.9f);
  const float add_2 = fmaf(dot_2, 0.1f, sum_1[element] * 0.9f);
  const float add_3 = fmaf(dot_1 * 0.001f, dot_1, sum_2[element] * 0.999f);
  const float add_4 = fmaf(dot_2 * 0.001f, dot_2, sum_3[element] * 0.999f);
  const float sub_1 = 1.0f - power[0];
  const float sub_2 = 1.0f - power_1[0];

  // update
  const float sub_value = sub_in[element];
  const float add_5 = fmaf(sub_value, 0.0f, add_1 / sub_1 / (sqrtf(add_3 / sub_2) + 1e-8f));
  const float sub_in_1_value = sub_in_1[element];
  const float add_6 = fmaf(sub_in_1_value, 0.0f, add_2 / sub_1 / (sqrtf(add_4 / sub_2) + 1e-8f));

  add_out[element] = add_1;
  add_out_1[element] = add_3;
  sub_out[element] = fmaf(-add_5, 0.0003f, sub_value);
  add_out_2[element] = add_2;
  add_out_3[element] = add_4;
  sub_out_1[element] = fmaf(-add_6, 0.0003f, sub_in_1_value);
}

}  // namespace

cudaError_t
launch_sub_5(const float* sub_in,
             const float* sub_in_1,
             const float* sum,
             const float* sum_1,
             const float* sum_2,
             const float* sum_3,
             const float* reshape,
             const float* add_any,
             const float* power,
             const float* power_1,
             const float* add_any_1,
             float* add_out,
             float* add_out_1,
             float* sub_out,
             float* add_out_2,
             float* add_out_3,
             float* sub_out_1,
             int t,
             cudaStream_t stream) {
  return launch(sub_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sub_in, sub_in_1, sum, sum_1, sum_2, sum_3, reshape, add_any, power, power_1,
                add_any_1, add_out, add_out_1, sub_out, add_out_2, add_out_3, sub_out_1, t);
}

}  // namespace ppo_update_kernels
