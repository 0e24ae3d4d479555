// step: dot, reduce, sine, cosine, multiply, ... over f32[64].
//
//   in   state_0_in .. state_3_in     f32[64]
//   in   sum_in                       s32[64]
//   in   params_2_w                   f32[64,2]
//   in   params_2_b                   f32[2]
//   in   starts_0 .. starts_3         f32[16,64]
//   in   tanh_in                      f32[64,64]
//   out  state_0_out .. state_3_out   f32[64]
//   out  sum_out                      s32[64]
//
//   step      sum_out, reduce_2
//   dense     dense
//   dynamics  state_1_value, add_1, state_3_value, div_1 .. div_3, add_2
//   ended     state_0_out .. state_3_out, or_2
//
// 2 blocks of 32 threads. Reads 19.2 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/divide_twice.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"

namespace cartpole_policy_kernels {
namespace {

constexpr int kElements = 64;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
step(const float* state_0_in,
     const float* state_1_in,
     const float* state_2_in,
     const float* state_3_in,
     const int* sum_in,
     const float* __restrict__ params_2_w,
     const float* __restrict__ params_2_b,
     const float* __restrict__ starts_0,
     const float* __restrict__ starts_1,
     const float* __restrict__ starts_2,
     const float* __restrict__ starts_3,
     const float* __restrict__ tanh_in,
     float* state_0_out,
     float* state_1_out,
     float* state_2_out,
     float* state_3_out,
     int* sum_out,
     int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const int index = t % 16 * 64 + element;

  // step
  float reduce_1 = -INFINITY;
  int reduce_2 = 0;
  for (int k = 0; k < 2; ++k) {
    // dense
    float dot = 0.0f;
    for (int k_1 = 0; k_1 < 64; ++k_1) {
      dot = fmaf(tanh_in[element * kElements + k_1], params_2_w[k_1 * 2 + k], dot);
    }
    const float dense = dot + params_2_b[k];

    // step
    const bool or_1 = reduce_1 > dense || reduce_1 != reduce_1;
    const float next_1 = or_1 ? reduce_1 : dense;
    const int next_2 = or_1 || (reduce_1 == dense && reduce_2 < k) ? reduce_2 : k;
    reduce_1 = next_1;
    reduce_2 = next_2;
  }

  // dynamics
  const float state_1_value = state_1_in[element];
  const float add_1 = fmaf(state_1_value, 0.02f, state_0_in[element]);
  const float state_2_value = state_2_in[element];
  float sine, cosine;
  sincosf(state_2_value, &sine, &cosine);
  const float sub = 0.6666667f - cosine * cosine * 0.1f / UncheckedDivisor(2.2f);
  const float state_3_value = state_3_in[element];
  const float mul = state_3_value * state_3_value * 0.05f;
  const float div_1 = fmaf(mul, sine, reduce_2 == 1 ? 10.0f : -10.0f) / UncheckedDivisor(1.1f);
  float div_2, div_3;
  divide_twice(fmaf(-cosine, div_1, sine * 9.8f), sub, &div_2, {0.05f, cosine}, Divisor(1.1f),
               &div_3);
  const float add_2 = fmaf(state_3_value, 0.02f, state_2_value);

  // ended
  const bool or_2 = fabsf(add_1) > 2.4f || fabsf(add_2) > 0.20943952f;

  state_0_out[element] = or_2 ? starts_0[index] : add_1;
  state_1_out[element] = or_2 ? starts_1[index] : fmaf(div_1 - div_3, 0.02f, state_1_value);
  state_2_out[element] = or_2 ? starts_2[index] : add_2;
  state_3_out[element] = or_2 ? starts_3[index] : fmaf(div_2, 0.02f, state_3_value);
  sum_out[element] = sum_in[element] + int(or_2);
}

}  // namespace

cudaError_t
launch_step(const float* state_0_in,
            const float* state_1_in,
            const float* state_2_in,
            const float* state_3_in,
            const int* sum_in,
            const float* params_2_w,
            const float* params_2_b,
            const float* starts_0,
            const float* starts_1,
            const float* starts_2,
            const float* starts_3,
            const float* tanh_in,
            float* state_0_out,
            float* state_1_out,
            float* state_2_out,
            float* state_3_out,
            int* sum_out,
            int t,
            cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                state_0_in, state_1_in, state_2_in, state_3_in, sum_in, params_2_w, params_2_b,
                starts_0, starts_1, starts_2, starts_3, tanh_in, state_0_out, state_1_out,
                state_2_out, state_3_out, sum_out, t);
}

}  // namespace cartpole_policy_kernels
