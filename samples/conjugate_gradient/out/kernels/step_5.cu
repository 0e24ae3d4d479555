// step_5: divide, multiply, add over f32[24,24].
//
//   in   sum_in    f32[24,24]
//   in   b_in      f32[24,24]
//   in   dot       f32[]
//   in   dot_1     f32[]
//   in   b_1_in    f32[24,24]
//   in   dot_2     f32[]
//   out  sum_out   f32[24,24]
//   out  b_out     f32[24,24]
//
//   sum_out = sum_in + dot / dot_1 * b_in
//   b_out   = b_1_in + dot_2 / dot * b_in
//
// 18 blocks of 32 threads. Reads 6.9 kB, writes 4.6 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kElements = 576;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
step_5(const float* sum_in,
       const float* b_in,
       const float* __restrict__ dot,
       const float* __restrict__ dot_1,
       const float* __restrict__ b_1_in,
       const float* __restrict__ dot_2,
       float* sum_out,
       float* b_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const float dot_value = dot[0];
  const float b_value = b_in[element];

  sum_out[element] = fmaf(dot_value / dot_1[0], b_value, sum_in[element]);
  b_out[element] = fmaf(dot_2[0] / dot_value, b_value, b_1_in[element]);
}

}  // namespace

cudaError_t
launch_step_5(const float* sum_in,
              const float* b_in,
              const float* dot,
              const float* dot_1,
              const float* b_1_in,
              const float* dot_2,
              float* sum_out,
              float* b_out,
              cudaStream_t stream) {
  return launch(step_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sum_in, b_in, dot, dot_1, b_1_in, dot_2, sum_out, b_out);
}

}  // namespace conjugate_gradient_kernels
