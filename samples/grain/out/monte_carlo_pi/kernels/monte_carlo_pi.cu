// monte_carlo_pi: 5 steps of 1000 independent elements; one element a thread, its state in
// registers.
//
//   in   seed       u32[2]
//   out  hits_out   s32[1000]
//
//   loop t in [0, 5), carrying hits:
//     random_words_1 = threefry2x32(seed[0], seed[1], 0, u32(t))
//     p              = u32(iota({0}) * 1000 + iota({1}))
//     random_words_2 = threefry2x32(random_words_1.first, random_words_1.second, 0, p)
//     p_3            = shift-right-logical(xor(random_words_2.first, random_words_2.second), 9)
//     p_1            = or(p_3, 1065353216)
//     p_2            = maximum(0, bitcast-convert(p_1) - 1 + 0)
//     next_hits      = hits + s32(p_2[0,:] * p_2[0,:] + p_2[1,:] * p_2[1,:] < 1)
//
// 32 blocks of 32 threads. Reads 8 B, writes 4.0 kB.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/threefry2x32.cuh"
#include "device/wrapping.cuh"

namespace monte_carlo_pi_kernels::monte_carlo_pi {
namespace {

constexpr int kElements = 1000;
constexpr int kSteps = 5;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
monte_carlo_pi(const uint32_t* __restrict__ seed, int* __restrict__ hits_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const uint32_t seed_value_1 = seed[0];
  const uint32_t seed_value_2 = seed[1];
  int hits = 0;

#pragma unroll 5
  for (int t = 0; t < kSteps; ++t) {
    const Threefry2x32 random_words_1 = threefry2x32(seed_value_1, seed_value_2, 0u, uint32_t(t));
    const Threefry2x32 random_words_2_1 =
        threefry2x32(random_words_1.first, random_words_1.second, 0u, uint32_t(element));
    const uint32_t p_1_1 = ((random_words_2_1.first ^ random_words_2_1.second) >> 9) | 0x3f800000u;
    const float p_2_1 = maximum(0.0f, bit_cast<float>(p_1_1) - 1.0f + 0.0f);
    const Threefry2x32 random_words_2_2 = threefry2x32(random_words_1.first, random_words_1.second,
                                                       0u, uint32_t(element + kElements));
    const uint32_t p_1_2 = ((random_words_2_2.first ^ random_words_2_2.second) >> 9) | 0x3f800000u;
    const float p_2_2 = maximum(0.0f, bit_cast<float>(p_1_2) - 1.0f + 0.0f);
    hits = wrapping_add(hits, int(fmaf(p_2_2, p_2_2, p_2_1 * p_2_1) < 1.0f));
  }

  hits_out[element] = hits;
}

}  // namespace

cudaError_t
enqueue(const uint32_t* seed, int* hits_out, cudaStream_t stream) {
  return launch(monte_carlo_pi,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, seed, hits_out);
}

}  // namespace monte_carlo_pi_kernels::monte_carlo_pi
