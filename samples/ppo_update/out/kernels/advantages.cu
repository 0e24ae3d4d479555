// advantages: 16 steps; one thread, its state in registers.
//
//   in   params_value_2_b   f32[1]
//   in   rewards            f32[16,8]
//   in   dones              f32[16,8]
//   in   dot                f32[17,8,1]
//   out  broadcast_in_dim   f32[16,8]
//
//   loop t in [0, 16):
//     advantages  subtract
//     step        multiply, subtract, add
//
// 1 block of 1 threads. Reads 1.6 kB, writes 512 B.

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
           float* __restrict__ broadcast_in_dim_out) {
  const float params_value_2_b_value = params_value_2_b[0];
  float sum_1 = 0.0f;
  float sum_2 = 0.0f;
  float sum_3 = 0.0f;
  float sum_4 = 0.0f;
  float sum_5 = 0.0f;
  float sum_6 = 0.0f;
  float sum_7 = 0.0f;
  float sum_8 = 0.0f;
  float sum_9 = dot[128] + params_value_2_b_value;
  float sum_10 = dot[129] + params_value_2_b_value;
  float sum_11 = dot[130] + params_value_2_b_value;
  float sum_12 = dot[131] + params_value_2_b_value;
  float sum_13 = dot[132] + params_value_2_b_value;
  float sum_14 = dot[133] + params_value_2_b_value;
  float sum_15 = dot[134] + params_value_2_b_value;
  float sum_16 = dot[135] + params_value_2_b_value;

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
    const float next_sum_1 = dot[120 - t * 8] + params_value_2_b_value;
    const float next_sum_2 = dot[121 - t * 8] + params_value_2_b_value;
    const float next_sum_3 = dot[122 - t * 8] + params_value_2_b_value;
    const float next_sum_4 = dot[123 - t * 8] + params_value_2_b_value;
    const float next_sum_5 = dot[124 - t * 8] + params_value_2_b_value;
    const float next_sum_6 = dot[125 - t * 8] + params_value_2_b_value;
    const float next_sum_7 = dot[126 - t * 8] + params_value_2_b_value;
    const float next_sum_8 = dot[127 - t * 8] + params_value_2_b_value;

    // step
    const float sub_9 = fmaf(sum_9 * 0.99f, sub_1, rewards[120 - t * 8]) - next_sum_1;
    const float sub_10 = fmaf(sum_10 * 0.99f, sub_2, rewards[121 - t * 8]) - next_sum_2;
    const float sub_11 = fmaf(sum_11 * 0.99f, sub_3, rewards[122 - t * 8]) - next_sum_3;
    const float sub_12 = fmaf(sum_12 * 0.99f, sub_4, rewards[123 - t * 8]) - next_sum_4;
    const float sub_13 = fmaf(sum_13 * 0.99f, sub_5, rewards[124 - t * 8]) - next_sum_5;
    const float sub_14 = fmaf(sum_14 * 0.99f, sub_6, rewards[125 - t * 8]) - next_sum_6;
    const float sub_15 = fmaf(sum_15 * 0.99f, sub_7, rewards[126 - t * 8]) - next_sum_7;
    const float sub_16 = fmaf(sum_16 * 0.99f, sub_8, rewards[127 - t * 8]) - next_sum_8;
    const float next_sum_9 = fmaf(sub_1 * 0.9405f, sum_1, sub_9);
    const float next_sum_10 = fmaf(sub_2 * 0.9405f, sum_2, sub_10);
    const float next_sum_11 = fmaf(sub_3 * 0.9405f, sum_3, sub_11);
    const float next_sum_12 = fmaf(sub_4 * 0.9405f, sum_4, sub_12);
    const float next_sum_13 = fmaf(sub_5 * 0.9405f, sum_5, sub_13);
    const float next_sum_14 = fmaf(sub_6 * 0.9405f, sum_6, sub_14);
    const float next_sum_15 = fmaf(sub_7 * 0.9405f, sum_7, sub_15);
    const float next_sum_16 = fmaf(sub_8 * 0.9405f, sum_8, sub_16);
    sum_1 = next_sum_9;
    sum_2 = next_sum_10;
    sum_3 = next_sum_11;
    sum_4 = next_sum_12;
    sum_5 = next_sum_13;
    sum_6 = next_sum_14;
    sum_7 = next_sum_15;
    sum_8 = next_sum_16;

    // dense
    sum_9 = next_sum_1;
    sum_10 = next_sum_2;
    sum_11 = next_sum_3;
    sum_12 = next_sum_4;
    sum_13 = next_sum_5;
    sum_14 = next_sum_6;
    sum_15 = next_sum_7;
    sum_16 = next_sum_8;

    // advantages
    broadcast_in_dim_out[120 - t * 8] = next_sum_9;
    broadcast_in_dim_out[121 - t * 8] = next_sum_10;
    broadcast_in_dim_out[122 - t * 8] = next_sum_11;
    broadcast_in_dim_out[123 - t * 8] = next_sum_12;
    broadcast_in_dim_out[124 - t * 8] = next_sum_13;
    broadcast_in_dim_out[125 - t * 8] = next_sum_14;
    broadcast_in_dim_out[126 - t * 8] = next_sum_15;
    broadcast_in_dim_out[127 - t * 8] = next_sum_16;
  }
}

}  // namespace

cudaError_t
launch_advantages(const float* params_value_2_b,
                  const float* rewards,
                  const float* dones,
                  const float* dot,
                  float* broadcast_in_dim_out,
                  cudaStream_t stream) {
  return launch(advantages, {.grid = 1, .block = kThreads}, stream,
                params_value_2_b, rewards, dones, dot, broadcast_in_dim_out);
}

}  // namespace ppo_update_kernels
