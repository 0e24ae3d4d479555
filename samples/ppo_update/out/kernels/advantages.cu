// advantages: 2 computations, in one launch, one after the other.
//
//   advantages_1   1 block   16 steps of 8 independent elements
//   reshape        then      dot, add over f32[128]
//
// One block of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::advantages {
namespace {

// advantages_1: 16 steps of 8 independent elements; one element a thread, its state in registers.
//
//   in   params_value_2_b   f32[1]
//   in   params_value_2_w   f32[16,1]
//   in   rewards            f32[16,8]
//   in   dones              f32[16,8]
//   in   x                  f32[17,8,16]
//   out  add_out            f32[16,8]
//
//   dense       dot_1
//   advantages  params_value_2_b_value, add_1, add_2
//   loop t in [0, 16), carrying add_1, add_2:
//     step        next_add_2, add_1
//     dense       next_add_1, add_2
//
// One block of 32 threads. Reads 9.8 kB, writes 512 B.
namespace advantages_1 {

constexpr int kElements = 8;
constexpr int kSteps = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const AdvantagesArrays::Advantages1Arrays& arrays) {
  const float* __restrict__ params_value_2_b = arrays.params_value_2_b;
  const float* __restrict__ params_value_2_w = arrays.params_value_2_w;
  const float* __restrict__ rewards = arrays.rewards;
  const float* __restrict__ dones = arrays.dones;
  const float* __restrict__ x = arrays.x;
  float* add_out = arrays.add_out;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  // dense
  float dot_1 = 0.0f;
  for (int k = 0; k < 16; ++k) dot_1 = fmaf(x[element * 16 + k + 2048], params_value_2_w[k], dot_1);

  // advantages
  const float params_value_2_b_value = params_value_2_b[0];
  float add_1 = 0.0f;
  float add_2 = dot_1 + params_value_2_b_value;

#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    const int index = element - t * kElements;

    // step
    const float sub_1 = 1.0f - dones[index + 120];

    // dense
    float dot_2 = 0.0f;
    for (int k = 0; k < 16; ++k) {
      dot_2 = fmaf(x[element * 16 + k - t * 128 + 1920], params_value_2_w[k], dot_2);
    }
    const float next_add_1 = dot_2 + params_value_2_b_value;

    // step
    const float sub_2 = fmaf(add_2 * 0.99f, sub_1, rewards[index + 120]) - next_add_1;
    const float next_add_2 = fmaf(sub_1 * 0.9405f, add_1, sub_2);
    add_1 = next_add_2;

    // dense
    add_2 = next_add_1;

    // advantages
    add_out[index + 120] = next_add_2;
  }
}

}  // namespace advantages_1

// reshape: dot, add over f32[128].
//
//   in   add                f32[16,8]
//   in   params_value_2_b   f32[1]
//   in   params_value_2_w   f32[16,1]
//   in   x                  f32[17,8,16]
//   out  reshape_1_out      f32[128]
//   out  reshape_2_out      f32[128]
//
//   dot           = dot(x, params_value_2_w)
//   reshape_1_out = reshape(add, [128])
//   reshape_2_out = reshape(add + (dot + params_value_2_b)[0:16,:], [128])
//
// One block of 32 threads, 4 times. Reads 8.8 kB, writes 1.0 kB.
namespace reshape {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const AdvantagesArrays::ReshapeArrays& arrays) {
  const float* add = arrays.add;
  const float* __restrict__ params_value_2_b = arrays.params_value_2_b;
  const float* __restrict__ params_value_2_w = arrays.params_value_2_w;
  const float* __restrict__ x = arrays.x;
  float* __restrict__ reshape_1_out = arrays.reshape_1_out;
  float* __restrict__ reshape_2_out = arrays.reshape_2_out;
  const int element = block * kThreads + threadIdx.x;

  // dense
  float dot = 0.0f;
  for (int k = 0; k < 16; ++k) dot = fmaf(x[element * 16 + k], params_value_2_w[k], dot);

  // advantages
  const float add_value = add[element];

  reshape_1_out[element] = add_value;
  reshape_2_out[element] = add_value + (dot + params_value_2_b[0]);
}

}  // namespace reshape

constexpr int kThreads = 32;
constexpr int kBlocks = advantages_1::kBlocks;

__global__ void __launch_bounds__(kThreads)
advantages(const __grid_constant__ AdvantagesArrays arrays) {
  advantages_1::run(arrays.advantages_1);

  __syncthreads();
  for (int i = 0; i < reshape::kBlocks; ++i) reshape::run(i, arrays.reshape);
}

}  // namespace

cudaError_t
enqueue(const AdvantagesArrays& arrays, cudaStream_t stream) {
  return launch(advantages, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::advantages
