// advantages: 16 steps of 8 independent elements; one element a thread, its state in registers.
//
//   in   params_value_2_b   f32[1]
//   in   params_value_2_w   f32[16,1]
//   in   rewards            f32[16,8]
//   in   dones              f32[16,8]
//   in   tanh_in            f32[17,8,16]
//   out  add_out            f32[16,8]
//
//   dense       dot_1
//   advantages  params_value_2_b_value, add_1, add_2
//   loop t in [0, 16), carrying add_1, add_2:
//     step        next_add_2, add_1
//     dense       next_add_1, add_2
//
// One block of 32 threads. Reads 9.8 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 8;
constexpr int kSteps = 16;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__global__ void __launch_bounds__(kThreads)
advantages(const float* __restrict__ params_value_2_b,
           const float* __restrict__ params_value_2_w,
           const float* __restrict__ rewards,
           const float* __restrict__ dones,
           const float* __restrict__ tanh_in,
           float* __restrict__ add_out) {
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  float dot_1 = 0.0f;
  for (int k = 0; k < 16; ++k) {
    dot_1 = fmaf(tanh_in[element * 16 + k + 2048], params_value_2_w[k], dot_1);
  }

  // advantages
  const float params_value_2_b_value = params_value_2_b[0];
  float add_1 = 0.0f;
  float add_2 = dot_1 + params_value_2_b_value;

#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    const int index = element - t * kElements;

    // step
    const float sub_1 = 1.0f - dones[index + 120];

    // dense
    float dot_2 = 0.0f;
    for (int k = 0; k < 16; ++k) {
      dot_2 = fmaf(tanh_in[element * 16 + k - t * 128 + 1920], params_value_2_w[k], dot_2);
    }
    const float next_add_1 = dot_2 + params_value_2_b_value;

    // step
    const float sub_2 = fmaf(add_2 * 0.99f, sub_1, rewards[index + 120]) - next_add_1;
    const float next_add_2 = fmaf(sub_1 * 0.9405f, add_1, sub_2);
    add_1 = next_add_2;

    // dense
    add_2 = next_add_1;

    // advantages
    add_out[index + 120] = next_add_2;
  }
}

}  // namespace

cudaError_t
launch_advantages(const float* params_value_2_b,
                  const float* params_value_2_w,
                  const float* rewards,
                  const float* dones,
                  const float* tanh_in,
                  float* add_out,
                  cudaStream_t stream) {
  return launch(advantages, {.grid = 1, .block = kThreads}, stream,
                params_value_2_b, params_value_2_w, rewards, dones, tanh_in, add_out);
}

}  // namespace ppo_update_kernels
