// dot_2: multiply, subtract, dot over f32[].
//
//   in   b     f32[24,24]
//   out  dot   f32[]
//
//   mul   = multiply(b, 4)
//   sub_1 = subtract(mul, slice(pad(b)))
//   sub_2 = subtract(sub_1, slice(pad(b)))
//   sub_3 = subtract(sub_2, slice(pad(b)))
//   sub_4 = subtract(sub_3, slice(pad(b)))
//   dot   = dot(b, sub_4)
//
// 1 block of 1 threads. Reads 2.3 kB, writes 4 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
dot_2(const float* __restrict__ b, float* __restrict__ dot) {
  float dot_1 = 0.0f;
  for (int k = 0; k < 576; ++k) {
    const float b_value = b[k];
    const float sub_1 = fmaf(b_value, 4.0f, -(k / 24 >= 1 ? b[k - 24] : 0.0f));
    const float sub_2 = sub_1 - (k / 24 < 23 ? b[k + 24] : 0.0f);
    const float sub_3 = sub_2 - (k % 24 >= 1 ? b[k - 1] : 0.0f);
    dot_1 = fmaf(b_value, sub_3 - (k % 24 < 23 ? b[k + 1] : 0.0f), dot_1);
  }

  dot[0] = dot_1;
}

}  // namespace

cudaError_t
launch_dot_2(const float* b, float* dot, cudaStream_t stream) {
  return launch(dot_2, {.grid = 1, .block = kThreads}, stream, b, dot);
}

}  // namespace conjugate_gradient_kernels
