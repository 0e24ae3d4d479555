// dense_1: dot over f32[17,8,1].
//
//   in   params_value_2_w   f32[16,1]
//   in   tanh_in            f32[17,8,16]
//   out  dot_out            f32[17,8,1]
//
//   dot_out = dot(tanh_in, params_value_2_w)
//
// 5 blocks of 32 threads. Reads 8.8 kB, writes 544 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 136;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
dense_1(const float* __restrict__ params_value_2_w,
        const float* __restrict__ tanh_in,
        float* __restrict__ dot_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  float dot = 0.0f;
  for (int k = 0; k < 16; ++k) dot = fmaf(tanh_in[element * 16 + k], params_value_2_w[k], dot);

  dot_out[element] = dot;
}

}  // namespace

cudaError_t
launch_dense_1(const float* params_value_2_w,
               const float* tanh_in,
               float* dot_out,
               cudaStream_t stream) {
  return launch(dense_1, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                params_value_2_w, tanh_in, dot_out);
}

}  // namespace ppo_update_kernels
