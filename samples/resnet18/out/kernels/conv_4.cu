// conv_4: convolution over f32[2,2,2,32].
//
//   in   params_blocks_5_conv1   f32[3,3,32,32]
//   in   x_7                     f32[2,2,2,32]
//   out  x_conv1_2_out           f32[2,2,2,32]
//
//   x_conv1_2_out = convolution(x_7, params_blocks_5_conv1), window={size=3x3 pad=1_1x1_1}
//
// 8 blocks of 32 threads. Reads 37.9 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace resnet18_kernels::conv_4 {
namespace {

constexpr int kI = 2;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kL = 32;
constexpr int kElements = kI * kJ * kK * kL;  // 256
constexpr int kFeatures = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_4(const float* __restrict__ params_blocks_5_conv1,
       const float* __restrict__ x_7,
       float* __restrict__ x_conv1_2_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  float x_conv1_2 = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = j + ky - 1;
    if (in_row < 0 || in_row >= 2) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = k + kx - 1;
      if (in_column < 0 || in_column >= 2) continue;
      for (int feature = 0; feature < kFeatures; ++feature) {
        x_conv1_2 = fmaf(x_7[((i * 2 + in_row) * 2 + in_column) * kFeatures + feature],
                         params_blocks_5_conv1[((ky * 3 + kx) * kFeatures + feature) * kL + l],
                         x_conv1_2);
      }
    }
  }

  x_conv1_2_out[element] = x_conv1_2;
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_5_conv1, const float* x_7, float* x_conv1_2_out,
        cudaStream_t stream) {
  return launch(conv_4, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_5_conv1, x_7, x_conv1_2_out);
}

}  // namespace resnet18_kernels::conv_4
