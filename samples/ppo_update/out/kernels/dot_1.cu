// dot_1: dot over f32[17,8,16].
//
//   in   params_value_0_w   f32[6,16]
//   in   observations       f32[17,8,6]
//   out  dot                f32[17,8,16]
//
//   dot = dot(observations, params_value_0_w)
//
// 68 blocks of 32 threads. Reads 3.6 kB, writes 8.7 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 2176;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dot_1(const float* __restrict__ params_value_0_w,
      const float* __restrict__ observations,
      float* __restrict__ dot) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  float dot_2 = 0.0f;
  for (int k = 0; k < 6; ++k) {
    dot_2 = fmaf(observations[row * 6 + k], params_value_0_w[k * 16 + column], dot_2);
  }

  dot[element] = dot_2;
}

}  // namespace

cudaError_t
launch_dot_1(const float* params_value_0_w,
             const float* observations,
             float* dot,
             cudaStream_t stream) {
  return launch(dot_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_value_0_w, observations, dot);
}

}  // namespace ppo_update_kernels
