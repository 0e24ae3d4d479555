// step_3: multiply, subtract, divide over f32[24,24].
//
//   in   b_in     f32[24,24]
//   in   b_1_in   f32[24,24]
//   in   dot      f32[]
//   in   dot_1    f32[]
//   out  b_out    f32[24,24]
//
//   pad   = pad(b_1_in, 0, padding=1_1x1_1)
//   sub_1 = b_1_in * 4 - pad[0:24,1:25]
//   sub_2 = sub_1 - pad[2:26,1:25]
//   sub_3 = sub_2 - pad[1:25,0:24]
//   sub_4 = sub_3 - pad[1:25,2:26]
//   b_out = b_in - dot / dot_1 * sub_4
//
// 18 blocks of 32 threads. Reads 4.6 kB, writes 2.3 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kElements = 576;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
step_3(const float* b_in,
       const float* __restrict__ b_1_in,
       const float* __restrict__ dot,
       const float* __restrict__ dot_1,
       float* b_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 24;
  const int column = element % 24;

  const float sub_1 = fmaf(b_1_in[element], 4.0f, -(row >= 1 ? b_1_in[element - 24] : 0.0f));
  const float sub_2 = sub_1 - (row < 23 ? b_1_in[element + 24] : 0.0f);
  const float sub_3 = sub_2 - (column >= 1 ? b_1_in[element - 1] : 0.0f);
  const float sub_4 = sub_3 - (column < 23 ? b_1_in[element + 1] : 0.0f);

  b_out[element] = fmaf(-(dot[0] / dot_1[0]), sub_4, b_in[element]);
}

}  // namespace

cudaError_t
launch_step_3(const float* b_in,
              const float* b_1_in,
              const float* dot,
              const float* dot_1,
              float* b_out,
              cudaStream_t stream) {
  return launch(step_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                b_in, b_1_in, dot, dot_1, b_out);
}

}  // namespace conjugate_gradient_kernels
