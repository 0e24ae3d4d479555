// step_2: dot, multiply, subtract over f32[].
//
//   in   b         f32[24,24]
//   out  dot_out   f32[]
//
//   pad     = pad(b, 0, padding=1_1x1_1)
//   sub_1   = b * 4 - pad[0:24,1:25]
//   sub_2   = sub_1 - pad[2:26,1:25]
//   sub_3   = sub_2 - pad[1:25,0:24]
//   dot_out = dot(reshape(b, [576]), reshape(sub_3 - pad[1:25,2:26], [576]))
//
// One thread. Reads 2.3 kB, writes 4 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
step_2(const float* __restrict__ b, float* __restrict__ dot_out) {
  float dot = 0.0f;
  for (int k = 0; k < 576; ++k) {
    const float b_value = b[k];
    const float sub_1 = fmaf(b_value, 4.0f, -(k / 24 >= 1 ? b[k - 24] : 0.0f));
    const float sub_2 = sub_1 - (k / 24 < 23 ? b[k + 24] : 0.0f);
    const float sub_3 = sub_2 - (k % 24 >= 1 ? b[k - 1] : 0.0f);
    dot = fmaf(b_value, sub_3 - (k % 24 < 23 ? b[k + 1] : 0.0f), dot);
  }

  dot_out[0] = dot;
}

}  // namespace

cudaError_t
launch_step_2(const float* b, float* dot_out, cudaStream_t stream) {
  return launch(step_2, {.grid = 1, .block = kThreads}, stream, b, dot_out);
}

}  // namespace conjugate_gradient_kernels
