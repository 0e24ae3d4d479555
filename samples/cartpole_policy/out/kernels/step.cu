// step: 50 steps of 128 independent elements; one element a thread, its state in registers.
//
//   in   state_0_in .. state_3_in     f32[64]
//   in   params_0_b                   f32[64]
//   in   params_0_w                   f32[4,64]
//   in   params_1_b                   f32[64]
//   in   params_1_w                   f32[64,64]
//   in   params_2_b                   f32[2]
//   in   params_2_w                   f32[64,2]
//   in   starts_0 .. starts_3         f32[16,64]
//   out  state_0_out .. state_3_out   f32[64]
//   out  sum_out                      s32[64]
//
//   loop t in [0, 50), carrying state_0 .. state_3, sum:
//     mlp         tanh_value_2
//     step        reduce_2, sum
//     dense       dense
//     dynamics    div_2, sub_2, next_0, next_2_1
//     ended       ended
//     step_tuple  state_0 .. state_3
//
// 64 blocks of 32 threads; 30 threads of a block repeat its last element. Reads 35.8 kB, writes 1.3
// kB.

#include "kernels.h"

#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/reload.cuh"
#include "device/vector_access.cuh"

namespace cartpole_policy_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kSteps = 50;
constexpr int kThreads = 32;
constexpr int kPerBlock = 2;  // elements a block

__global__ void __launch_bounds__(kThreads, 1)
step(const float* __restrict__ state_0_in,
     const float* __restrict__ state_1_in,
     const float* __restrict__ state_2_in,
     const float* __restrict__ state_3_in,
     const float* __restrict__ params_0_b,
     const float* __restrict__ params_0_w,
     const float* __restrict__ params_1_b,
     const float* __restrict__ params_1_w,
     const float* __restrict__ params_2_b,
     const float* __restrict__ params_2_w,
     const float* __restrict__ starts_0,
     const float* __restrict__ starts_1,
     const float* __restrict__ starts_2,
     const float* __restrict__ starts_3,
     float* __restrict__ state_0_out,
     float* __restrict__ state_1_out,
     float* __restrict__ state_2_out,
     float* __restrict__ state_3_out,
     int* __restrict__ sum_out) {
  const bool owns_element = threadIdx.x < kPerBlock;
  const int element = blockIdx.x * kPerBlock + (owns_element ? int(threadIdx.x) : kPerBlock - 1);
  const int row = element / 2;
  const int column = element % 2;

  float state_0 = state_0_in[row];
  float state_1 = state_1_in[row];
  float state_2 = state_2_in[row];
  float state_3 = state_3_in[row];
  int sum = 0;

  for (int t = 0; t < kSteps; ++t) {
    reload_each_step();

    const int index = t % 16 * 64 + row;

    // mlp
    float tanh_value_1[64];
#pragma unroll
    for (int k = 0; k < 64; k += 4) {
      float dot_1[4] = {};
      for (int k_1 = 0; k_1 < 4; ++k_1) {
        const Vector<float, 4> params_0_w_values = load_vector<4>(params_0_w + (k_1 * 64 + k));
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          dot_1[i] = fmaf(k_1 == 0 ? state_0 : (k_1 < 2 ? state_1 : (k_1 < 3 ? state_2 : state_3)),
                          params_0_w_values[i], dot_1[i]);
        }
      }
      const Vector<float, 4> params_0_b_values = load_vector<4>(params_0_b + k);
#pragma unroll
      for (int i = 0; i < 4; ++i) tanh_value_1[k + i] = tanhf(dot_1[i] + params_0_b_values[i]);
    }
    float tanh_value_2[64];
    for (int k = 0; k < 64; k += 4) {
      float dot_2[4] = {};
#pragma unroll
      for (int k_1 = 0; k_1 < 64; ++k_1) {
        const Vector<float, 4> params_1_w_values = load_vector<4>(params_1_w + (k_1 * 64 + k));
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          dot_2[i] = fmaf(tanh_value_1[k_1], params_1_w_values[i], dot_2[i]);
        }
      }
      const Vector<float, 4> params_1_b_values = load_vector<4>(params_1_b + k);
#pragma unroll
      for (int i = 0; i < 4; ++i) tanh_value_2[k + i] = tanhf(dot_2[i] + params_1_b_values[i]);
    }

    // step
    float reduce_1 = -INFINITY;
    int reduce_2 = 0;
    for (int k = 0; k < 2; ++k) {
      // dense
      float dot_3 = 0.0f;
#pragma unroll
      for (int k_1 = 0; k_1 < 64; ++k_1) {
        dot_3 = fmaf(tanh_value_2[k_1], params_2_w[k_1 * 2 + k], dot_3);
      }
      const float dense = dot_3 + params_2_b[k];

      // step
      const bool or_ = reduce_1 > dense || reduce_1 != reduce_1;
      const float next_1 = or_ ? reduce_1 : dense;
      const int next_2 = or_ || (reduce_1 == dense && reduce_2 < k) ? reduce_2 : k;
      reduce_1 = next_1;
      reduce_2 = next_2;
    }

    // dynamics
    float sine, cosine;
    sincosf(state_2, &sine, &cosine);
    const float add = fmaf(state_3 * state_3 * 0.05f, sine, reduce_2 == 1 ? 10.0f : -10.0f);
    const float div_1 = add / UncheckedDivisor(1.1f);
    const float sub_1 = 1.3333334f - cosine * cosine * 0.1f / UncheckedDivisor(1.1f);
    const float div_2 = fmaf(-cosine, div_1, sine * 9.8f) / (sub_1 * 0.5f);
    const float sub_2 = div_1 - div_2 * 0.05f * cosine / Divisor(1.1f);
    const float next_0 = fmaf(state_1, 0.02f, state_0);
    const float next_2_1 = fmaf(state_3, 0.02f, state_2);

    // ended
    const bool ended = fabsf(next_0) > 2.4f || fabsf(next_2_1) > 0.20943952f;

    // step_tuple
    state_0 = ended ? starts_0[index] : next_0;
    state_1 = ended ? starts_1[index] : fmaf(sub_2, 0.02f, state_1);
    state_2 = ended ? starts_2[index] : next_2_1;
    state_3 = ended ? starts_3[index] : fmaf(div_2, 0.02f, state_3);

    // step
    sum += ended;
  }

  if (owns_element && column == 0) {
    state_0_out[row] = state_0;
    state_1_out[row] = state_1;
    state_2_out[row] = state_2;
    state_3_out[row] = state_3;
    sum_out[row] = sum;
  }
}

}  // namespace

cudaError_t
launch_step(const float* state_0_in,
            const float* state_1_in,
            const float* state_2_in,
            const float* state_3_in,
            const float* params_0_b,
            const float* params_0_w,
            const float* params_1_b,
            const float* params_1_w,
            const float* params_2_b,
            const float* params_2_w,
            const float* starts_0,
            const float* starts_1,
            const float* starts_2,
            const float* starts_3,
            float* state_0_out,
            float* state_1_out,
            float* state_2_out,
            float* state_3_out,
            int* sum_out,
            cudaStream_t stream) {
  return launch(step, {.grid = kElements / kPerBlock, .block = kThreads}, stream,
                state_0_in, state_1_in, state_2_in, state_3_in, params_0_b, params_0_w, params_1_b,
                params_1_w, params_2_b, params_2_w, starts_0, starts_1, starts_2, starts_3,
                state_0_out, state_1_out, state_2_out, state_3_out, sum_out);
}

}  // namespace cartpole_policy_kernels
