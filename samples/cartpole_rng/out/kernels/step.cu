// step: 50 steps of 64 independent elements; one element a thread, its state in registers.
//
//   in   state_in       f32[64,4]
//   in   key_in         u32[2]
//   out  state_out      f32[64,4]
//   out  episodes_out   s32[64]
//
//   loop t in [0, 50), carrying state (state_0 .. state_3), episodes, key (key_0, key_1):
//     next_state_0     = transpose(state)[0,:] + transpose(state)[1,:] * 0.02
//     next_state_2     = transpose(state)[2,:] + transpose(state)[3,:] * 0.02
//     done             = abs(next_state_0) > 2.4 or abs(next_state_2) > 0.20943952
//     threefry_split_1 = threefry2x32(key[0], key[1], 0, u32(iota()))
//     joined           = concatenate(threefry_split_1.first, threefry_split_1.second),
//                        dimensions={1}
//     iota_2x32_shape  = u32(broadcast(iota()) * 4 + iota())
//     uniform          = threefry2x32(joined[2,:][0], joined[2,:][1], 0, iota_2x32_shape)
//     bits             = or(shift-right-logical(xor(uniform.first, uniform.second), 9), 1065353216)
//     as_float         = bitcast-convert(bits)
//     start            = maximum(-0.05, (as_float - 1) * 0.1 + -0.05)
//     threefry_split_2 = threefry2x32(joined[1,:][0], joined[1,:][1], 0, u32(iota()))
//     joined_1         = concatenate(threefry_split_2.first, threefry_split_2.second),
//                        dimensions={1}
//     randint          = threefry2x32(joined_1[1,:][0], joined_1[1,:][1], 0, u32(iota()))
//     force            = select(s32(remainder(xor(randint.first, randint.second), 2)) == 1, 10,
//                        -10)
//     sine             = sine(transpose(state)[2,:])
//     temp_numerator   = force + transpose(state)[3,:] * transpose(state)[3,:] * 0.05 * sine
//     temp             = temp_numerator / 1.1
//     cosine           = cosine(transpose(state)[2,:])
//     theta_acc_part   = cosine * cosine * 0.1 / 2.2
//     theta_acc        = (sine * 9.8 - cosine * temp) / (0.6666667 - theta_acc_part)
//     x_acc_term       = theta_acc * 0.05 * cosine / 1.1
//     sum              = transpose(state)[1,:] + (temp - x_acc_term) * 0.02
//     sum_1            = transpose(state)[3,:] + theta_acc * 0.02
//     state            = concatenate(next_state_0, sum, next_state_2, sum_1), dimensions={1}
//     next_state       = select(broadcast(done), start, state)
//     next_episodes    = episodes + s32(done)
//     next_key         = joined[0,:]
//
// 2 blocks of 32 threads. Reads 1.0 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/divide_twice.cuh"
#include "device/divisor.cuh"
#include "device/from_lane.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/threefry2x32.cuh"

namespace cartpole_rng_kernels::step {
namespace {

constexpr int kElements = 64;
constexpr int kSteps = 50;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // steps that are computed ahead
constexpr float kXLimit = 2.4f;
constexpr float kThetaLimit = 0.20943952f;
constexpr float kStart = 0.05f;
constexpr float kForce = 10.0f;
constexpr float kPoleMassLength = 0.05f;
constexpr float kTotalMass = 1.1f;
constexpr float kGravity = 9.8f;
constexpr float kMassPole = 0.1f;
constexpr float kTau = 0.02f;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ state_in,
     const uint32_t* __restrict__ key_in,
     float* __restrict__ state_out,
     int* __restrict__ episodes_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int lane = threadIdx.x % kWarp;

  float state_0 = state_in[element * 4];
  float state_1 = state_in[element * 4 + 1];
  float state_2 = state_in[element * 4 + 2];
  float state_3 = state_in[element * 4 + 3];
  int episodes = 0;
  uint32_t key_0 = key_in[0];
  uint32_t key_1 = key_in[1];

  for (int first = 0; first < kSteps; first += kWarp) {
    const int last = minimum(first + kWarp, kSteps);
    // 32 steps ahead, a step a lane
    uint32_t key_0_of_lane = key_0;
    uint32_t key_1_of_lane = key_1;
    // A step begins with what the one before it leaves: all lanes go through all of them, and each
    // keeps what its own begins with.
    for (int t = first; t < last; ++t) {
      if (t % kWarp == lane) {
        key_0_of_lane = key_0;
        key_1_of_lane = key_1;
      }
      const Threefry2x32 threefry_split_1_1 = threefry2x32(key_0, key_1, 0u, 0u);
      key_0 = threefry_split_1_1.first;
      key_1 = threefry_split_1_1.second;
    }
    const Threefry2x32 threefry_split_1_3_of_lane =
        threefry2x32(key_0_of_lane, key_1_of_lane, 0u, 2u);
    const Threefry2x32 threefry_split_1_2 = threefry2x32(key_0_of_lane, key_1_of_lane, 0u, 1u);
    const Threefry2x32 threefry_split_2_of_lane =
        threefry2x32(threefry_split_1_2.first, threefry_split_1_2.second, 0u, 1u);

    // the steps
#pragma unroll 4
    for (int t = first; t < last; ++t) {
      const Threefry2x32 threefry_split_1_3 = from_lane(threefry_split_1_3_of_lane, t % kWarp);
      const Threefry2x32 threefry_split_2 = from_lane(threefry_split_2_of_lane, t % kWarp);
      const Threefry2x32 randint =
          threefry2x32(threefry_split_2.first, threefry_split_2.second, 0u, uint32_t(element));
      const Threefry2x32 uniform_1 = threefry2x32(threefry_split_1_3.first,
                                                  threefry_split_1_3.second, 0u,
                                                  uint32_t(element * 4));
      const float as_float_1 =
          bit_cast<float>(((uniform_1.first ^ uniform_1.second) >> 9) | 0x3f800000u);
      const Threefry2x32 uniform_2 = threefry2x32(threefry_split_1_3.first,
                                                  threefry_split_1_3.second, 0u,
                                                  uint32_t(element * 4 + 1));
      const float as_float_2 =
          bit_cast<float>(((uniform_2.first ^ uniform_2.second) >> 9) | 0x3f800000u);
      const float start_1 = maximum(-kStart, fmaf(as_float_2 - 1.0f, 0.1f, -0.05f));
      const Threefry2x32 uniform_3 = threefry2x32(threefry_split_1_3.first,
                                                  threefry_split_1_3.second, 0u,
                                                  uint32_t(element * 4 + 2));
      const float as_float_3 =
          bit_cast<float>(((uniform_3.first ^ uniform_3.second) >> 9) | 0x3f800000u);
      const Threefry2x32 uniform_4 = threefry2x32(threefry_split_1_3.first,
                                                  threefry_split_1_3.second, 0u,
                                                  uint32_t(element * 4 + 3));
      const float as_float_4 =
          bit_cast<float>(((uniform_4.first ^ uniform_4.second) >> 9) | 0x3f800000u);
      const float start_2 = maximum(-kStart, fmaf(as_float_4 - 1.0f, 0.1f, -0.05f));

      // dynamics
      const float force = int((randint.first ^ randint.second) % 2u) == 1 ? kForce : -kForce;
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
      state_0 = done ? maximum(-kStart, fmaf(as_float_1 - 1.0f, 0.1f, -0.05f)) : next_state_0;
      state_1 = done ? start_1 : fmaf(temp - x_acc_term, kTau, state_1);
      state_2 = done ? maximum(-kStart, fmaf(as_float_3 - 1.0f, 0.1f, -0.05f)) : next_state_2;
      state_3 = done ? start_2 : fmaf(theta_acc, kTau, state_3);

      episodes += done;
    }
  }

  state_out[element * 4] = state_0;
  state_out[element * 4 + 1] = state_1;
  state_out[element * 4 + 2] = state_2;
  state_out[element * 4 + 3] = state_3;
  episodes_out[element] = episodes;
}

}  // namespace

cudaError_t
enqueue(const float* state_in, const uint32_t* key_in, float* state_out, int* episodes_out,
        cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                state_in, key_in, state_out, episodes_out);
}

}  // namespace cartpole_rng_kernels::step
