// step_4: dot over f32[].
//
//   in   b         f32[24,24]
//   out  dot_out   f32[]
//
//   dot_out = dot(reshape(b, [576]), reshape(b, [576]))
//
// One thread. Reads 2.3 kB, writes 4 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
step_4(const float* __restrict__ b, float* __restrict__ dot_out) {
  float dot = 0.0f;
  for (int k = 0; k < 576; ++k) {
    const float b_value = b[k];
    dot = fmaf(b_value, b_value, dot);
  }

  dot_out[0] = dot;
}

}  // namespace

cudaError_t
launch_step_4(const float* b, float* dot_out, cudaStream_t stream) {
  return launch(step_4, {.grid = 1, .block = kThreads}, stream, b, dot_out);
}

}  // namespace conjugate_gradient_kernels
