// step: 50 steps of 64 independent elements; one element a thread, its state in registers.
//
//   in   state_0_in .. state_3_in     f32[64]
//   in   actions                      s32[16,64]
//   in   starts_0 .. starts_3         f32[16,64]
//   out  state_0_out .. state_3_out   f32[64]
//   out  episodes_out                 s32[64]
//
//   loop t in [0, 50), carrying state_0 .. state_3, episodes:
//     next_state_0   = state_0 + state_1 * 0.02
//     next_state_2   = state_2 + state_3 * 0.02
//     done           = abs(next_state_0) > 2.4 or abs(next_state_2) > 0.20943952
//     state_0        = select(done, dynamic-slice(starts_0, remainder(t, 16), 0), next_state_0)
//     part           = dynamic-slice(starts_1, remainder(t, 16), 0)
//     force          = select(dynamic-slice(actions, remainder(t, 16), 0) == 1, 10, -10)
//     sine           = sine(state_2)
//     temp_numerator = force + state_3 * state_3 * 0.05 * sine
//     temp           = temp_numerator / 1.1
//     cosine         = cosine(state_2)
//     theta_acc_part = cosine * cosine * 0.1 / 2.2
//     theta_acc      = (sine * 9.8 - cosine * temp) / (0.6666667 - theta_acc_part)
//     x_acc_term     = theta_acc * 0.05 * cosine / 1.1
//     next_state_1   = select(done, part, state_1 + (temp - x_acc_term) * 0.02)
//     state_2        = select(done, dynamic-slice(starts_2, remainder(t, 16), 0), next_state_2)
//     part_1         = dynamic-slice(starts_3, remainder(t, 16), 0)
//     next_state_3   = select(done, part_1, state_3 + theta_acc * 0.02)
//     next_episodes  = episodes + s32(done)
//
// 2 blocks of 32 threads. Reads 21.5 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/divide_twice.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"

namespace cartpole_soa_kernels::step {
namespace {

constexpr int kElements = 64;
constexpr int kSteps = 50;
constexpr int kThreads = 32;
constexpr float kXLimit = 2.4f;
constexpr float kThetaLimit = 0.20943952f;
constexpr float kForce = 10.0f;
constexpr float kPoleMassLength = 0.05f;
constexpr float kTotalMass = 1.1f;
constexpr float kGravity = 9.8f;
constexpr float kMassPole = 0.1f;
constexpr float kTau = 0.02f;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ state_0_in,
     const float* __restrict__ state_1_in,
     const float* __restrict__ state_2_in,
     const float* __restrict__ state_3_in,
     const int* __restrict__ actions,
     const float* __restrict__ starts_0,
     const float* __restrict__ starts_1,
     const float* __restrict__ starts_2,
     const float* __restrict__ starts_3,
     float* __restrict__ state_0_out,
     float* __restrict__ state_1_out,
     float* __restrict__ state_2_out,
     float* __restrict__ state_3_out,
     int* __restrict__ episodes_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  float state_0 = state_0_in[element];
  float state_1 = state_1_in[element];
  float state_2 = state_2_in[element];
  float state_3 = state_3_in[element];
  int episodes = 0;

#pragma unroll 10
  for (int t = 0; t < kSteps; ++t) {
    const int index = t % 16 * kElements + element;

    // dynamics
    const float force = actions[index] == 1 ? kForce : -kForce;
    float sine, cosine;
    sincosf(state_2, &sine, &cosine);
    const float temp_numerator = fmaf(state_3 * state_3 * kPoleMassLength, sine, force);
    const float temp = temp_numerator / UncheckedDivisor(kTotalMass);
    const float theta_acc_part = cosine * cosine * kMassPole / UncheckedDivisor(2.2f);
    float theta_acc, x_acc_term;
    divide_twice(fmaf(-cosine, temp, sine * kGravity), 0.6666667f - theta_acc_part, &theta_acc,
                 {kPoleMassLength, cosine}, Divisor(kTotalMass), &x_acc_term);
    const float next_state_0 = fmaf(state_1, kTau, state_0);
    const float next_state_2 = fmaf(state_3, kTau, state_2);

    // ended
    const bool done = fabsf(next_state_0) > kXLimit || fabsf(next_state_2) > kThetaLimit;

    // step_tuple
    state_0 = done ? starts_0[index] : next_state_0;
    state_1 = done ? starts_1[index] : fmaf(temp - x_acc_term, kTau, state_1);
    state_2 = done ? starts_2[index] : next_state_2;
    state_3 = done ? starts_3[index] : fmaf(theta_acc, kTau, state_3);

    episodes += done;
  }

  state_0_out[element] = state_0;
  state_1_out[element] = state_1;
  state_2_out[element] = state_2;
  state_3_out[element] = state_3;
  episodes_out[element] = episodes;
}

}  // namespace

cudaError_t
enqueue(const float* state_0_in, const float* state_1_in, const float* state_2_in,
        const float* state_3_in, const int* actions, const float* starts_0, const float* starts_1,
        const float* starts_2, const float* starts_3, float* state_0_out, float* state_1_out,
        float* state_2_out, float* state_3_out, int* episodes_out, cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                state_0_in, state_1_in, state_2_in, state_3_in, actions, starts_0, starts_1,
                starts_2, starts_3, state_0_out, state_1_out, state_2_out, state_3_out,
                episodes_out);
}

}  // namespace cartpole_soa_kernels::step
