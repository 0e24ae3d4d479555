// dot_4: dot over f32[32,1].
//
//   in   sub    f32[16,1]
//   in   tanh   f32[32,16]
//   out  dot    f32[32,1]
//
//   dot = dot(tanh, sub)
//
// 1 block of 32 threads. Reads 2.1 kB, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dot_4(const float* __restrict__ sub, const float* __restrict__ tanh_in, float* __restrict__ dot) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  float dot_1 = 0.0f;
  for (int k = 0; k < 16; ++k) dot_1 = fmaf(tanh_in[element * 16 + k], sub[k], dot_1);

  dot[element] = dot_1;
}

}  // namespace

cudaError_t
launch_dot_4(const float* sub, const float* tanh_in, float* dot, cudaStream_t stream) {
  return launch(dot_4, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sub, tanh_in, dot);
}

}  // namespace ppo_update_kernels
