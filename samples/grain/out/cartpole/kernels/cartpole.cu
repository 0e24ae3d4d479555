// cartpole: 50 steps of 64 independent elements; one element a thread, its state in registers.
//
//   in   start_x_in            f32[64]
//   in   start_x_dot_in        f32[64]
//   in   start_theta_in        f32[64]
//   in   start_theta_dot_in    f32[64]
//   in   actions               s32[16,64]
//   in   starts_x              f32[16,64]
//   in   starts_x_dot          f32[16,64]
//   in   starts_theta          f32[16,64]
//   in   starts_theta_dot      f32[16,64]
//   out  state_x_out           f32[64]
//   out  state_x_dot_out       f32[64]
//   out  state_theta_out       f32[64]
//   out  state_theta_dot_out   f32[64]
//   out  episodes_out          s32[64]
//
//   loop t in [0, 50), carrying state_x, state_x_dot, state_theta, state_theta_dot, episodes:
//     force                = select(dynamic-slice(actions, remainder(t, 16), 0) == 1, 10, -10)
//     cosine               = cosine(state_theta)
//     sine                 = sine(state_theta)
//     temp_1               = 0.05 * (state_theta_dot * state_theta_dot)
//     temp_2               = force + temp_1 * sine
//     temp_3               = temp_2 / 1.1
//     theta_acc_1          = 0.6666667 - 0.1 * (cosine * cosine) / 2.2
//     theta_acc_2          = (9.8 * sine - cosine * temp_3) / theta_acc_1
//     x_acc                = 0.05 * theta_acc_2 * cosine / 1.1
//     next_state_x         = state_x + 0.02 * state_x_dot
//     next_state_theta     = state_theta + 0.02 * state_theta_dot
//     next_state_theta_dot = state_theta_dot + 0.02 * theta_acc_2
//     ended                = abs(next_state_x) > 2.4 or abs(next_state_theta) > 0.20943952
//     state                = dynamic-slice(starts_x_dot, remainder(t, 16), 0)
//     state_1              = dynamic-slice(starts_theta, remainder(t, 16), 0)
//     state_2              = dynamic-slice(starts_theta_dot, remainder(t, 16), 0)
//     state_x              = select(ended, dynamic-slice(starts_x, remainder(t, 16), 0),
//                            next_state_x)
//     next_state_x_dot     = select(ended, state, state_x_dot + 0.02 * (temp_3 - x_acc))
//     state_theta          = select(ended, state_1, next_state_theta)
//     state_theta_dot      = select(ended, state_2, next_state_theta_dot)
//     next_episodes        = episodes + s32(ended)
//
// 2 blocks of 32 threads. Reads 21.5 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/divide_twice.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"

namespace cartpole_kernels::cartpole {
namespace {

constexpr int kElements = 64;
constexpr int kSteps = 50;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
cartpole(const float* __restrict__ start_x_in,
         const float* __restrict__ start_x_dot_in,
         const float* __restrict__ start_theta_in,
         const float* __restrict__ start_theta_dot_in,
         const int* __restrict__ actions,
         const float* __restrict__ starts_x,
         const float* __restrict__ starts_x_dot,
         const float* __restrict__ starts_theta,
         const float* __restrict__ starts_theta_dot,
         float* __restrict__ state_x_out,
         float* __restrict__ state_x_dot_out,
         float* __restrict__ state_theta_out,
         float* __restrict__ state_theta_dot_out,
         int* __restrict__ episodes_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  float state_x = start_x_in[element];
  float state_x_dot = start_x_dot_in[element];
  float state_theta = start_theta_in[element];
  float state_theta_dot = start_theta_dot_in[element];
  int episodes = 0;

#pragma unroll 10
  for (int t = 0; t < kSteps; ++t) {
    const int index = t % 16 * kElements + element;

    // dynamics
    float sine, cosine;
    sincosf(state_theta, &sine, &cosine);
    const float temp_1 = 0.05f * (state_theta_dot * state_theta_dot);
    const float temp_2 = fmaf(temp_1, sine, actions[index] == 1 ? 10.0f : -10.0f);
    const float temp_3 = temp_2 / UncheckedDivisor(1.1f);
    const float theta_acc_1 = 0.6666667f - 0.1f * (cosine * cosine) / UncheckedDivisor(2.2f);
    float theta_acc_2, x_acc;
    divide_twice(fmaf(-cosine, temp_3, 9.8f * sine), theta_acc_1, &theta_acc_2, {0.05f, cosine},
                 Divisor(1.1f), &x_acc);
    const float next_state_x = fmaf(0.02f, state_x_dot, state_x);
    const float next_state_theta = fmaf(0.02f, state_theta_dot, state_theta);
    const float next_state_theta_dot = fmaf(0.02f, theta_acc_2, state_theta_dot);

    // ended
    const bool ended = fabsf(next_state_x) > 2.4f || fabsf(next_state_theta) > 0.20943952f;

    state_x = ended ? starts_x[index] : next_state_x;
    state_x_dot = ended ? starts_x_dot[index] : fmaf(0.02f, temp_3 - x_acc, state_x_dot);
    state_theta = ended ? starts_theta[index] : next_state_theta;
    state_theta_dot = ended ? starts_theta_dot[index] : next_state_theta_dot;
    episodes += ended;
  }

  state_x_out[element] = state_x;
  state_x_dot_out[element] = state_x_dot;
  state_theta_out[element] = state_theta;
  state_theta_dot_out[element] = state_theta_dot;
  episodes_out[element] = episodes;
}

}  // namespace

cudaError_t
enqueue(const float* start_x_in, const float* start_x_dot_in, const float* start_theta_in,
        const float* start_theta_dot_in, const int* actions, const float* starts_x,
        const float* starts_x_dot, const float* starts_theta, const float* starts_theta_dot,
        float* state_x_out, float* state_x_dot_out, float* state_theta_out,
        float* state_theta_dot_out, int* episodes_out, cudaStream_t stream) {
  return launch(cartpole, {.grid = kElements / kThreads, .block = kThreads}, stream,
                start_x_in, start_x_dot_in, start_theta_in, start_theta_dot_in, actions, starts_x,
                starts_x_dot, starts_theta, starts_theta_dot, state_x_out, state_x_dot_out,
                state_theta_out, state_theta_dot_out, episodes_out);
}

}  // namespace cartpole_kernels::cartpole
