// step: 50 steps of 4096 elements; one element a thread, its state in registers; a block's threads
// take each step together.
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
//   out  episodes_out                 s32[64]
//
//   loop t in [0, 50), carrying state_0 .. state_3, episodes:
//     next_state_0   = state_0 + state_1 * 0.02
//     next_state_2   = state_2 + state_3 * 0.02
//     done           = abs(next_state_0) > 2.4 or abs(next_state_2) > 0.20943952
//     state_0        = select(done, dynamic-slice(starts_0, remainder(t, 16), 0), next_state_0)
//     part           = dynamic-slice(starts_1, remainder(t, 16), 0)
//     x_part_1       = dot(concatenate(state_0, state_1, state_2, state_3), params_0_w)
//     x_1            = tanh(x_part_1 + params_0_b)
//     x_part_2       = dot(x_1, params_1_w)
//     x_2            = tanh(x_part_2 + params_1_b)
//     dot            = dot(x_2, params_2_w)
//     sum            = dot + params_2_b
//     best           = reduce(sum, broadcast(iota()), -inf, 0), dimensions={1}
//     temp_part      = state_3 * state_3 * 0.05
//     sine           = sine(state_2)
//     temp_numerator = select(best.second == 1, 10, -10) + temp_part * sine
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
// 64 blocks of 64 threads. Reads 35.8 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/divide_twice.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"

namespace cartpole_policy_kernels::step {
namespace {

constexpr int kElements = 4096;
constexpr int kSteps = 50;
constexpr int kTerms = 64;
constexpr int kThreads = 64;
constexpr float kXLimit = 2.4f;
constexpr float kThetaLimit = 0.20943952f;
constexpr float kForce = 10.0f;
constexpr float kPoleMassLength = 0.05f;
constexpr float kTotalMass = 1.1f;
constexpr float kGravity = 9.8f;
constexpr float kMassPole = 0.1f;
constexpr float kTau = 0.02f;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

struct Shared {
  float x_1[kThreads];
};

__global__ void __launch_bounds__(kThreads)
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
     int* __restrict__ episodes_out) {
  Shared& shared = block_shared<Shared>();
  const int block = blockIdx.x;
  const int thread = threadIdx.x;

  const float params_0_b_value = params_0_b[thread];
  const float params_1_b_value = params_1_b[thread];
  float state_0 = state_0_in[block];
  float state_1 = state_1_in[block];
  float state_2 = state_2_in[block];
  float state_3 = state_3_in[block];
  int episodes = 0;

  for (int t = 0; t < kSteps; ++t) {
    const int index = t % 16 * 64 + block;

    // dense
    float x_part_1 = 0.0f;
    for (int k = 0; k < 4; ++k) {
      x_part_1 = fmaf(k == 0 ? state_0 : (k < 2 ? state_1 : (k < 3 ? state_2 : state_3)),
                      params_0_w[k * kThreads + thread], x_part_1);
    }

    // mlp
    const float x_1 = tanhf(x_part_1 + params_0_b_value);
    __syncthreads();
    shared.x_1[threadIdx.x] = x_1;
    __syncthreads();

    // dense
    float x_part_2 = 0.0f;
    for (int k = 0; k < kTerms; ++k) {
      x_part_2 = fmaf(shared.x_1[k], params_1_w[k * kThreads + thread], x_part_2);
    }

    // mlp
    const float x_2 = tanhf(x_part_2 + params_1_b_value);

    float best_1 = -INFINITY;
    int best_2 = 0;
    for (int k = 0; k < 2; ++k) {
      const float dot = block_reduce<kThreads>(x_2 * params_2_w[thread * 2 + k], Add());
      const float sum = dot + params_2_b[k];
      const bool either = best_1 >= sum || isnan(best_1);
      const float next_1 = either ? best_1 : sum;
      const int next_2 = either ? best_2 : k;
      best_1 = next_1;
      best_2 = next_2;
    }

    // dynamics
    float sine, cosine;
    sincosf(state_2, &sine, &cosine);
    const float temp_part = state_3 * state_3 * kPoleMassLength;
    const float temp_numerator = fmaf(temp_part, sine, best_2 == 1 ? kForce : -kForce);
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

  if (thread == 0) {
    state_0_out[block] = state_0;
    state_1_out[block] = state_1;
    state_2_out[block] = state_2;
    state_3_out[block] = state_3;
    episodes_out[block] = episodes;
  }
}

}  // namespace

cudaError_t
enqueue(const float* state_0_in, const float* state_1_in, const float* state_2_in,
        const float* state_3_in, const float* params_0_b, const float* params_0_w,
        const float* params_1_b, const float* params_1_w, const float* params_2_b,
        const float* params_2_w, const float* starts_0, const float* starts_1,
        const float* starts_2, const float* starts_3, float* state_0_out, float* state_1_out,
        float* state_2_out, float* state_3_out, int* episodes_out, cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                state_0_in, state_1_in, state_2_in, state_3_in, params_0_b, params_0_w, params_1_b,
                params_1_w, params_2_b, params_2_w, starts_0, starts_1, starts_2, starts_3,
                state_0_out, state_1_out, state_2_out, state_3_out, episodes_out);
}

}  // namespace cartpole_policy_kernels::step
