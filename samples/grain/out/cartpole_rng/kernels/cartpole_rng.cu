// cartpole_rng: 50 steps of 64 independent elements; one element a thread, its state in registers.
//
//   in   start_in       f32[64,4]
//   in   seed_in        u32[2]
//   out  state_out      f32[64,4]
//   out  episodes_out   s32[64]
//
//   loop t in [0, 50), carrying start (start_0 .. start_3), episodes, seed (seed_0, seed_1):
//     random_words_1 = threefry2x32(seed[0], seed[1], 0, u32(iota()))
//     keys           = concatenate(random_words_1.first, random_words_1.second), dimensions={1}
//     random_words_2 = threefry2x32(keys[1,:][0], keys[1,:][1], 0, u32(iota()))
//     action         = concatenate(random_words_2.first, random_words_2.second), dimensions={1}
//     random_words_3 = threefry2x32(action[1,:][0], action[1,:][1], 0, u32(iota()))
//     action_1       = remainder(xor(random_words_3.first, random_words_3.second), 2)
//     random_words_4 = threefry2x32(keys[2,:][0], keys[2,:][1], 0, u32(iota({0}) * 4 + iota({1})))
//     restart        = shift-right-logical(xor(random_words_4.first, random_words_4.second), 9)
//     restart_1      = or(restart, 1065353216)
//     restart_2      = (bitcast-convert(restart_1) - 1) * 0.1 + -0.05
//     force          = s32(action_1) == 1
//     cosine         = cosine(start[:,2])
//     sine           = sine(start[:,2])
//     temp_1         = select(force, 10, -10) + 0.05 * (start[:,3] * start[:,3]) * sine
//     temp_2         = temp_1 / 1.1
//     theta_acc_1    = 0.6666667 - 0.1 * (cosine * cosine) / 2.2
//     theta_acc_2    = (9.8 * sine - cosine * temp_2) / theta_acc_1
//     x_acc          = 0.05 * theta_acc_2 * cosine / 1.1
//     next_start_0   = start[:,0] + 0.02 * start[:,1]
//     next_start_2   = start[:,2] + 0.02 * start[:,3]
//     ended          = abs(next_start_0) > 2.4 or abs(next_start_2) > 0.20943952
//     row            = start[:,1] + 0.02 * (temp_2 - x_acc)
//     row_1          = concatenate(next_start_0, row, next_start_2, start[:,3] + 0.02 *
//                      theta_acc_2), dimensions={1}
//     next_start     = select(broadcast(ended), maximum(-0.05, restart_2), row_1)
//     next_episodes  = episodes + s32(ended)
//     next_seed      = keys[0,:]
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

namespace cartpole_rng_kernels::cartpole_rng {
namespace {

constexpr int kElements = 64;
constexpr int kSteps = 50;
constexpr int kThreads = 32;
constexpr int kWarp = 32;  // steps that are computed ahead

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
cartpole_rng(const float* __restrict__ start_in,
             const uint32_t* __restrict__ seed_in,
             float* __restrict__ state_out,
             int* __restrict__ episodes_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int lane = threadIdx.x % kWarp;

  float start_0 = start_in[element * 4];
  float start_1 = start_in[element * 4 + 1];
  float start_2 = start_in[element * 4 + 2];
  float start_3 = start_in[element * 4 + 3];
  int episodes = 0;
  uint32_t seed_0 = seed_in[0];
  uint32_t seed_1 = seed_in[1];

  for (int first = 0; first < kSteps; first += kWarp) {
    const int last = minimum(first + kWarp, kSteps);
    // 32 steps ahead, a step a lane
    uint32_t seed_0_of_lane = seed_0;
    uint32_t seed_1_of_lane = seed_1;
    // A step begins with what the one before it leaves: all lanes go through all of them, and each
    // keeps what its own begins with.
    for (int t = first; t < last; ++t) {
      if (t % kWarp == lane) {
        seed_0_of_lane = seed_0;
        seed_1_of_lane = seed_1;
      }
      const Threefry2x32 random_words_1_1 = threefry2x32(seed_0, seed_1, 0u, 0u);
      seed_0 = random_words_1_1.first;
      seed_1 = random_words_1_1.second;
    }
    const Threefry2x32 random_words_1_3_of_lane =
        threefry2x32(seed_0_of_lane, seed_1_of_lane, 0u, 2u);
    const Threefry2x32 random_words_1_2 = threefry2x32(seed_0_of_lane, seed_1_of_lane, 0u, 1u);
    const Threefry2x32 random_words_2_of_lane =
        threefry2x32(random_words_1_2.first, random_words_1_2.second, 0u, 1u);

    // the steps
#pragma unroll 4
    for (int t = first; t < last; ++t) {
      const Threefry2x32 random_words_1_3 = from_lane(random_words_1_3_of_lane, t % kWarp);
      const Threefry2x32 random_words_2 = from_lane(random_words_2_of_lane, t % kWarp);
      const Threefry2x32 random_words_3 =
          threefry2x32(random_words_2.first, random_words_2.second, 0u, uint32_t(element));
      const Threefry2x32 random_words_4_1 =
          threefry2x32(random_words_1_3.first, random_words_1_3.second, 0u, uint32_t(element * 4));
      const uint32_t restart_1_1 =
          ((random_words_4_1.first ^ random_words_4_1.second) >> 9) | 0x3f800000u;
      const float restart_2_1 = fmaf(bit_cast<float>(restart_1_1) - 1.0f, 0.1f, -0.05f);
      const Threefry2x32 random_words_4_2 = threefry2x32(random_words_1_3.first,
                                                         random_words_1_3.second, 0u,
                                                         uint32_t(element * 4 + 1));
      const uint32_t restart_1_2 =
          ((random_words_4_2.first ^ random_words_4_2.second) >> 9) | 0x3f800000u;
      const float restart_2_2 = fmaf(bit_cast<float>(restart_1_2) - 1.0f, 0.1f, -0.05f);
      const Threefry2x32 random_words_4_3 = threefry2x32(random_words_1_3.first,
                                                         random_words_1_3.second, 0u,
                                                         uint32_t(element * 4 + 2));
      const uint32_t restart_1_3 =
          ((random_words_4_3.first ^ random_words_4_3.second) >> 9) | 0x3f800000u;
      const float restart_2_3 = fmaf(bit_cast<float>(restart_1_3) - 1.0f, 0.1f, -0.05f);
      const Threefry2x32 random_words_4_4 = threefry2x32(random_words_1_3.first,
                                                         random_words_1_3.second, 0u,
                                                         uint32_t(element * 4 + 3));
      const uint32_t restart_1_4 =
          ((random_words_4_4.first ^ random_words_4_4.second) >> 9) | 0x3f800000u;
      const float restart_2_4 = fmaf(bit_cast<float>(restart_1_4) - 1.0f, 0.1f, -0.05f);

      // dynamics
      const bool force = int((random_words_3.first ^ random_words_3.second) % 2u) == 1;
      float sine, cosine;
      sincosf(start_2, &sine, &cosine);
      const float temp_1 = fmaf(0.05f * (start_3 * start_3), sine, force ? 10.0f : -10.0f);
      const float temp_2 = temp_1 / UncheckedDivisor(1.1f);
      const float theta_acc_1 = 0.6666667f - 0.1f * (cosine * cosine) / UncheckedDivisor(2.2f);
      float theta_acc_2, x_acc;
      divide_twice(fmaf(-cosine, temp_2, 9.8f * sine), theta_acc_1, &theta_acc_2, {0.05f, cosine},
                   Divisor(1.1f), &x_acc);
      const float next_start_0 = fmaf(0.02f, start_1, start_0);
      const float next_start_2 = fmaf(0.02f, start_3, start_2);

      // ended
      const bool ended = fabsf(next_start_0) > 2.4f || fabsf(next_start_2) > 0.20943952f;

      start_0 = ended ? maximum(-0.05f, restart_2_1) : next_start_0;
      start_1 = ended ? maximum(-0.05f, restart_2_2) : fmaf(0.02f, temp_2 - x_acc, start_1);
      start_2 = ended ? maximum(-0.05f, restart_2_3) : next_start_2;
      start_3 = ended ? maximum(-0.05f, restart_2_4) : fmaf(0.02f, theta_acc_2, start_3);
      episodes += ended;
    }
  }

  state_out[element * 4] = start_0;
  state_out[element * 4 + 1] = start_1;
  state_out[element * 4 + 2] = start_2;
  state_out[element * 4 + 3] = start_3;
  episodes_out[element] = episodes;
}

}  // namespace

cudaError_t
enqueue(const float* start_in, const uint32_t* seed_in, float* state_out, int* episodes_out,
        cudaStream_t stream) {
  return launch(cartpole_rng, {.grid = kElements / kThreads, .block = kThreads}, stream,
                start_in, seed_in, state_out, episodes_out);
}

}  // namespace cartpole_rng_kernels::cartpole_rng
