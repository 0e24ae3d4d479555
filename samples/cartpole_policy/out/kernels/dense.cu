// dense: dot over f32[64,64].
//
//   in   state_0 .. state_3   f32[64]
//   in   params_0_w           f32[4,64]
//   out  dot_out              f32[64,64]
//
//   dot_out = dot(concatenate(state_0, state_1, state_2, state_3), params_0_w)
//
// 128 blocks of 32 threads. Reads 2.0 kB, writes 16.4 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace cartpole_policy_kernels {
namespace {

constexpr int kElements = 4096;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dense(const float* __restrict__ state_0,
      const float* __restrict__ state_1,
      const float* __restrict__ state_2,
      const float* __restrict__ state_3,
      const float* __restrict__ params_0_w,
      float* __restrict__ dot_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 64;
  const int column = element % 64;

  float dot = 0.0f;
  for (int k = 0; k < 4; ++k) {
    dot = fmaf(k == 0 ? state_0[row]
                      : (k < 2 ? state_1[row] : (k < 3 ? state_2[row] : state_3[row])),
               params_0_w[k * 64 + column], dot);
  }

  dot_out[element] = dot;
}

}  // namespace

cudaError_t
launch_dense(const float* state_0,
             const float* state_1,
             const float* state_2,
             const float* state_3,
             const float* params_0_w,
             float* dot_out,
             cudaStream_t stream) {
  return launch(dense, {.grid = kElements / kThreads, .block = kThreads}, stream,
                state_0, state_1, state_2, state_3, params_0_w, dot_out);
}

}  // namespace cartpole_policy_kernels
