// step: 50 steps of 64 independent elements; one element a thread, its state in registers.
//
//   in   state_in       f32[64,4]
//   in   actions        s32[16,64]
//   in   starts         f32[16,64,4]
//   out  state_out      f32[64,4]
//   out  episodes_out   s32[64]
//
//   loop t in [0, 50), carrying state (state_0 .. state_3), episodes:
//     next_state_0   = transpose(state)[0,:] + transpose(state)[1,:] * 0.02
//     next_state_2   = transpose(state)[2,:] + transpose(state)[3,:] * 0.02
//     done           = abs(next_state_0) > 2.4 or abs(next_state_2) > 0.20943952
//     force          = select(dynamic-slice(actions, remainder(t, 16), 0) == 1, 10, -10)
//     sine           = sine(transpose(state)[2,:])
//     temp_numerator = force + transpose(state)[3,:] * transpose(state)[3,:] * 0.05 * sine
//     temp           = temp_numerator / 1.1
//     cosine         = cosine(transpose(state)[2,:])
//     theta_acc_part = cosine * cosine * 0.1 / 2.2
//     theta_acc      = (sine * 9.8 - cosine * temp) / (0.6666667 - theta_acc_part)
//     x_acc_term     = theta_acc * 0.05 * cosine / 1.1
//     sum            = transpose(state)[1,:] + (temp - x_acc_term) * 0.02
//     sum_1          = transpose(state)[3,:] + theta_acc * 0.02
//     state          = concatenate(next_state_0, sum, next_state_2, sum_1), dimensions={1}
//     next_state     = select(broadcast(done), dynamic-slice(starts, remainder(t, 16), 0, 0),
//                      state)
//     next_episodes  = episodes + s32(done)
//
// 2 blocks of 32 threads. Reads 21.5 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/divide_twice.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"

namespace cartpole_concat_kernels::step {
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
step(const float* __restrict__ state_in,
     const int* __restrict__ actions,
     const float* __restrict__ starts,
     float* __restrict__ state_out,
     int* __restrict__ episodes_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  float state_0 = state_in[element * 4];
  float state_1 = state_in[element * 4 + 1];
  float state_2 = state_in[element * 4 + 2];
  float state_3 = state_in[element * 4 + 3];
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

    // step_array
    state_0 = done ? starts[index * 4] : next_state_0;
    state_1 = done ? starts[index * 4 + 1] : fmaf(temp - x_acc_term, kTau, state_1);
    state_2 = done ? starts[index * 4 + 2] : next_state_2;
    state_3 = done ? starts[index * 4 + 3] : fmaf(theta_acc, kTau, state_3);

    episodes += done;
  }

  state_out[element * 4] = state_0;
  state_out[element * 4 + 1] = state_1;
  state_out[element * 4 + 2] = state_2;
  state_out[element * 4 + 3] = state_3;
  episodes_out[element] = episodes;
}

}  // namespace

cudaError_t
enqueue(const float* state_in, const int* actions, const float* starts, float* state_out,
        int* episodes_out, cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                state_in, actions, starts, state_out, episodes_out);
}

}  // namespace cartpole_concat_kernels::step
