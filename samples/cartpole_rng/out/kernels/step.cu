// step: 50 steps of 64 independent elements; one element a thread, its state in registers.
//
//   in   state_in       f32[64,4]
//   in   key_in         u32[2]
//   out  state_out      f32[64,4]
//   out  episodes_out   s32[64]
//
//   loop t in [0, 50), carrying state_0 .. state_3, episodes, key_0, key_1:
//     joined        = concatenate(threefry_split_1.first, threefry_split_1.second), dimensions={1}
//     sum_1         = transpose(state)[1,:] + (temp - scaled) * 0.02
//     state         = concatenate(next_0, sum_1, next_2, transpose(state)[3,:] + theta_acc * 0.02),
//                     dimensions={1}
//     next_state    = select(broadcast(done), start_1, state)
//     next_episodes = episodes + s32(done)
//     next_key      = joined[0,:]
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
      const Threefry2x32 threefry_split_1 = threefry2x32(key_0, key_1, 0u, 0u);
      key_0 = threefry_split_1.first;
      key_1 = threefry_split_1.second;
    }
    const Threefry2x32 threefry_split_3_of_lane =
        threefry2x32(key_0_of_lane, key_1_of_lane, 0u, 2u);
    const Threefry2x32 threefry_split_2 = threefry2x32(key_0_of_lane, key_1_of_lane, 0u, 1u);
    const Threefry2x32 threefry_split_4_of_lane =
        threefry2x32(threefry_split_2.first, threefry_split_2.second, 0u, 1u);

    // the steps
#pragma unroll 4
    for (int t = first; t < last; ++t) {
      // step
      const Threefry2x32 threefry_split_3 = from_lane(threefry_split_3_of_lane, t % kWarp);
      const Threefry2x32 threefry_split_4 = from_lane(threefry_split_4_of_lane, t % kWarp);
      const Threefry2x32 randint =
          threefry2x32(threefry_split_4.first, threefry_split_4.second, 0u, uint32_t(element));
      const Threefry2x32 uniform_1 =
          threefry2x32(threefry_split_3.first, threefry_split_3.second, 0u, uint32_t(element * 4));
      const float as_float_1 =
          bit_cast<float>(((uniform_1.first ^ uniform_1.second) >> 9) | 0x3f800000u);
      const Threefry2x32 uniform_2 = threefry2x32(threefry_split_3.first, threefry_split_3.second,
                                                  0u, uint32_t(element * 4 + 1));
      const float as_float_2 =
          bit_cast<float>(((uniform_2.first ^ uniform_2.second) >> 9) | 0x3f800000u);
      const float start_1 = maximum(-0.05f, fmaf(as_float_2 - 1.0f, 0.1f, -0.05f));
      const Threefry2x32 uniform_3 = threefry2x32(threefry_split_3.first, threefry_split_3.second,
                                                  0u, uint32_t(element * 4 + 2));
      const float as_float_3 =
          bit_cast<float>(((uniform_3.first ^ uniform_3.second) >> 9) | 0x3f800000u);
      const Threefry2x32 uniform_4 = threefry2x32(threefry_split_3.first, threefry_split_3.second,
                                                  0u, uint32_t(element * 4 + 3));
      const float as_float_4 =
          bit_cast<float>(((uniform_4.first ^ uniform_4.second) >> 9) | 0x3f800000u);
      const float start_2 = maximum(-0.05f, fmaf(as_float_4 - 1.0f, 0.1f, -0.05f));

      // dynamics
      const float force = int((randint.first ^ randint.second) % 2u) == 1 ? 10.0f : -10.0f;
      float sine, cosine;
      sincosf(state_2, &sine, &cosine);
      const float temp = fmaf(state_3 * state_3 * 0.05f, sine, force) / UncheckedDivisor(1.1f);
      const float difference = 0.6666667f - cosine * cosine * 0.1f / UncheckedDivisor(2.2f);
      float theta_acc, scaled;
      divide_twice(fmaf(-cosine, temp, sine * 9.8f), difference, &theta_acc, {0.05f, cosine},
                   Divisor(1.1f), &scaled);
      const float next_0 = fmaf(state_1, 0.02f, state_0);
      const float next_2 = fmaf(state_3, 0.02f, state_2);

      // ended
      const bool done = fabsf(next_0) > 2.4f || fabsf(next_2) > 0.20943952f;

      // step_array
      state_0 = done ? maximum(-0.05f, fmaf(as_float_1 - 1.0f, 0.1f, -0.05f)) : next_0;
      state_1 = done ? start_1 : fmaf(temp - scaled, 0.02f, state_1);
      state_2 = done ? maximum(-0.05f, fmaf(as_float_3 - 1.0f, 0.1f, -0.05f)) : next_2;
      state_3 = done ? start_2 : fmaf(theta_acc, 0.02f, state_3);

      // step
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
enqueue(const float* state_in,
        const uint32_t* key_in,
        float* state_out,
        int* episodes_out,
        cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                state_in, key_in, state_out, episodes_out);
}

}  // namespace cartpole_rng_kernels::step
