// advantages: 16 steps; one thread, its state in registers.
//
//   in   params_value_2_b   f32[1]
//   in   rewards            f32[16,8]
//   in   dones              f32[16,8]
//   in   dot                f32[17,8,1]
//   out  add_out            f32[16,8]
//
//   loop t in [0, 16), carrying add_1 .. add_16:
//     step        next_add_9 .. next_add_16, add_1 .. add_8
//     dense       next_add_1 .. next_add_8, add_9 .. add_16
//
// One thread. Reads 1.6 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kSteps = 16;
constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
advantages(const float* __restrict__ params_value_2_b,
           const float* __restrict__ rewards,
           const float* __restrict__ dones,
           const float* __restrict__ dot,
           float* __restrict__ add_out) {
  const float params_value_2_b_value = params_value_2_b[0];
  float add_1 = 0.0f;
  float add_2 = 0.0f;
  float add_3 = 0.0f;
  float add_4 = 0.0f;
  float add_5 = 0.0f;
  float add_6 = 0.0f;
  float add_7 = 0.0f;
  float add_8 = 0.0f;
  float add_9 = dot[128] + params_value_2_b_value;
  float add_10 = dot[129] + params_value_2_b_value;
  float add_11 = dot[130] + params_value_2_b_value;
  float add_12 = dot[131] + params_value_2_b_value;
  float add_13 = dot[132] + params_value_2_b_value;
  float add_14 = dot[133] + params_value_2_b_value;
  float add_15 = dot[134] + params_value_2_b_value;
  float add_16 = dot[135] + params_value_2_b_value;

#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    // step
    const float sub_1 = 1.0f - dones[120 - t * 8];
    const float sub_2 = 1.0f - dones[121 - t * 8];
    const float sub_3 = 1.0f - dones[122 - t * 8];
    const float sub_4 = 1.0f - dones[123 - t * 8];
    const float sub_5 = 1.0f - dones[124 - t * 8];
    const float sub_6 = 1.0f - dones[125 - t * 8];
    const float sub_7 = 1.0f - dones[126 - t * 8];
    const float sub_8 = 1.0f - dones[127 - t * 8];

    // dense
    const float next_add_1 = dot[120 - t * 8] + params_value_2_b_value;
    const float next_add_2 = dot[121 - t * 8] + params_value_2_b_value;
    const float next_add_3 = dot[122 - t * 8] + params_value_2_b_value;
    const float next_add_4 = dot[123 - t * 8] + params_value_2_b_value;
    const float next_add_5 = dot[124 - t * 8] + params_value_2_b_value;
    const float next_add_6 = dot[125 - t * 8] + params_value_2_b_value;
    const float next_add_7 = dot[126 - t * 8] + params_value_2_b_value;
    const float next_add_8 = dot[127 - t * 8] + params_value_2_b_value;

    // step
    const float sub_9 = fmaf(add_9 * 0.99f, sub_1, rewards[120 - t * 8]) - next_add_1;
    const float sub_10 = fmaf(add_10 * 0.99f, sub_2, rewards[121 - t * 8]) - next_add_2;
    const float sub_11 = fmaf(add_11 * 0.99f, sub_3, rewards[122 - t * 8]) - next_add_3;
    const float sub_12 = fmaf(add_12 * 0.99f, sub_4, rewards[123 - t * 8]) - next_add_4;
    const float sub_13 = fmaf(add_13 * 0.99f, sub_5, rewards[124 - t * 8]) - next_add_5;
    const float sub_14 = fmaf(add_14 * 0.99f, sub_6, rewards[125 - t * 8]) - next_add_6;
    const float sub_15 = fmaf(add_15 * 0.99f, sub_7, rewards[126 - t * 8]) - next_add_7;
    const float sub_16 = fmaf(add_16 * 0.99f, sub_8, rewards[127 - t * 8]) - next_add_8;
    const float next_add_9 = fmaf(sub_1 * 0.9405f, add_1, sub_9);
    const float next_add_10 = fmaf(sub_2 * 0.9405f, add_2, sub_10);
    const float next_add_11 = fmaf(sub_3 * 0.9405f, add_3, sub_11);
    const float next_add_12 = fmaf(sub_4 * 0.9405f, add_4, sub_12);
    const float next_add_13 = fmaf(sub_5 * 0.9405f, add_5, sub_13);
    const float next_add_14 = fmaf(sub_6 * 0.9405f, add_6, sub_14);
    const float next_add_15 = fmaf(sub_7 * 0.9405f, add_7, sub_15);
    const float next_add_16 = fmaf(sub_8 * 0.9405f, add_8, sub_16);
    add_1 = next_add_9;
    add_2 = next_add_10;
    add_3 = next_add_11;
    add_4 = next_add_12;
    add_5 = next_add_13;
    add_6 = next_add_14;
    add_7 = next_add_15;
    add_8 = next_add_16;

    // dense
    add_9 = next_add_1;
    add_10 = next_add_2;
    add_11 = next_add_3;
    add_12 = next_add_4;
    add_13 = next_add_5;
    add_14 = next_add_6;
    add_15 = next_add_7;
    add_16 = next_add_8;

    // advantages
    add_out[120 - t * 8] = next_add_9;
    add_out[121 - t * 8] = next_add_10;
    add_out[122 - t * 8] = next_add_11;
    add_out[123 - t * 8] = next_add_12;
    add_out[124 - t * 8] = next_add_13;
    add_out[125 - t * 8] = next_add_14;
    add_out[126 - t * 8] = next_add_15;
    add_out[127 - t * 8] = next_add_16;
  }
}

}  // namespace

cudaError_t
launch_advantages(const float* params_value_2_b,
                  const float* rewards,
                  const float* dones,
                  const float* dot,
                  float* add_out,
                  cudaStream_t stream) {
  return launch(advantages, {.grid = 1, .block = kThreads}, stream,
                params_value_2_b, rewards, dones, dot, add_out);
}

}  // namespace ppo_update_kernels
