// advantages: 2 computations, in one launch, one after the other.
//
//   advantages_2   1 block   16 steps of 8 independent elements
//   sum            then      add over f32[128]
//
// One block of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::advantages {
namespace {

// advantages_2: 16 steps of 8 independent elements; one element a thread, its state in registers.
//
//   in   params_value_2_b   f32[1]
//   in   rewards            f32[16,8]
//   in   dones              f32[16,8]
//   in   x_w                f32[17,8,1]
//   out  advantages_2_out   f32[16,8]
//
//   loop t in [0, 16), carrying sum_1, sum_2:
//     next_sum_2       = reshape(dynamic-slice(sum, 16 - t - 1, 0), [8])
//     complement       = 1 - dynamic-slice(dones, 16 - t - 1, 0)
//     sum_3            = dynamic-slice(rewards, 16 - t - 1, 0) + sum_2 * 0.99 * complement
//     difference       = sum_3 - next_sum_2
//     next_sum_1       = difference + complement * 0.9405 * sum_1
//     advantages_2_out = dynamic-update-slice(advantages_2_out, next_sum_1, 16 - t - 1, 0)
//     Not shown: sum.
//
// One block of 32 threads. Reads 1.6 kB, writes 512 B.
namespace advantages_2 {

constexpr int kElements = 8;
constexpr int kSteps = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

// Not __restrict__: other parts of the launch read advantages_2_out.
__device__ void run(const AdvantagesArrays::Advantages2Arrays& arrays) {
  const float* __restrict__ params_value_2_b = arrays.params_value_2_b;
  const float* __restrict__ rewards = arrays.rewards;
  const float* __restrict__ dones = arrays.dones;
  const float* __restrict__ x_w = arrays.x_w;
  float* advantages_2_out = arrays.advantages_2_out;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  const float params_value_2_b_value = params_value_2_b[0];
  float sum_1 = 0.0f;
  float sum_2 = x_w[element + 128] + params_value_2_b_value;

#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    const int index = element - t * kElements;

    // step
    const float complement = 1.0f - dones[index + 120];

    // dense
    const float next_sum_2 = x_w[index + 120] + params_value_2_b_value;

    // step
    const float difference = fmaf(sum_2 * 0.99f, complement, rewards[index + 120]) - next_sum_2;
    const float next_sum_1 = fmaf(complement * 0.9405f, sum_1, difference);
    sum_1 = next_sum_1;

    // dense
    sum_2 = next_sum_2;

    advantages_2_out[index + 120] = next_sum_1;
  }
}

}  // namespace advantages_2

// sum: add over f32[128].
//
//   in   advantages_2       f32[16,8]
//   in   params_value_2_b   f32[1]
//   in   x_w                f32[17,8,1]
//   out  sum_out            f32[128]
//   out  sum_2              f32[128]
//
//   sum_out = reshape(advantages_2, [128])
//   sum_2   = reshape(advantages_2 + (x_w + params_value_2_b)[0:16,:], [128])
//
// One block of 32 threads, 4 times. Reads 1.0 kB, writes 1.0 kB.
namespace sum {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// No pointer is __restrict__: other parts of the launch write advantages_2.
__device__ void run(int block, const AdvantagesArrays::SumArrays& arrays) {
  const auto& [advantages_2, params_value_2_b, x_w, sum_out, sum_2] = arrays;
  const int element = block * kThreads + threadIdx.x;

  const float advantages_2_value = advantages_2[element];

  sum_out[element] = advantages_2_value;
  sum_2[element] = advantages_2_value + (x_w[element] + params_value_2_b[0]);
}

}  // namespace sum

constexpr int kThreads = 32;
constexpr int kBlocks = advantages_2::kBlocks;

__global__ void __launch_bounds__(kThreads)
advantages(const __grid_constant__ AdvantagesArrays arrays) {
  advantages_2::run(arrays.advantages_2);

  __syncthreads();
  for (int i = 0; i < sum::kBlocks; ++i) sum::run(i, arrays.sum);
}

}  // namespace

cudaError_t
enqueue(const AdvantagesArrays& arrays, cudaStream_t stream) {
  return launch(advantages, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::advantages
