// dot_1: dot over f32[].
//
//   in   b     f32[24,24]
//   out  dot   f32[]
//
//   dot = dot(b, b)
//
// 1 block of 1 threads. Reads 2.3 kB, writes 4 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
dot_1(const float* __restrict__ b, float* __restrict__ dot) {
  float dot_2 = 0.0f;
  for (int k = 0; k < 576; ++k) {
    const float b_value = b[k];
    dot_2 = fmaf(b_value, b_value, dot_2);
  }

  dot[0] = dot_2;
}

}  // namespace

cudaError_t
launch_dot_1(const float* b, float* dot, cudaStream_t stream) {
  return launch(dot_1, {.grid = 1, .block = kThreads}, stream, b, dot);
}

}  // namespace conjugate_gradient_kernels
