// conv_3: convolution over f32[2,2,2,32].
//
//   in   params_blocks_4_conv1     f32[3,3,16,32]
//   in   params_blocks_4_project   f32[1,1,16,32]
//   in   x_6                       f32[2,4,4,16]
//   out  x_project_2_out           f32[2,2,2,32]
//   out  x_conv1_out               f32[2,2,2,32]
//
//   x_project_2_out = convolution(x_6, params_blocks_4_project), window={size=1x1 stride=2x2}
//   x_conv1_out     = convolution(x_6, params_blocks_4_conv1),
//                     window={size=3x3 stride=2x2 pad=0_1x0_1}
//
// 8 blocks of 32 threads. Reads 22.5 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace resnet18_kernels::conv_3 {
namespace {

constexpr int kI = 2;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kL = 32;
constexpr int kElements = kI * kJ * kK * kL;  // 256
constexpr int kFeatures = 16;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_3(const float* __restrict__ params_blocks_4_conv1,
       const float* __restrict__ params_blocks_4_project,
       const float* __restrict__ x_6,
       float* __restrict__ x_project_2_out,
       float* __restrict__ x_conv1_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  float x_conv1 = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = j * 2 + ky;
    if (in_row >= 4) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = k * 2 + kx;
      if (in_column >= 4) continue;
      for (int feature = 0; feature < kFeatures; ++feature) {
        x_conv1 = fmaf(x_6[((i * 4 + in_row) * 4 + in_column) * kFeatures + feature],
                       params_blocks_4_conv1[((ky * 3 + kx) * kFeatures + feature) * kL + l],
                       x_conv1);
      }
    }
  }
  float x_project_2 = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    x_project_2 = fmaf(x_6[i * 256 + j * 128 + k * 32 + feature],
                       params_blocks_4_project[feature * kL + l], x_project_2);
  }

  x_project_2_out[element] = x_project_2;
  x_conv1_out[element] = x_conv1;
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_4_conv1, const float* params_blocks_4_project, const float* x_6,
        float* x_project_2_out, float* x_conv1_out, cudaStream_t stream) {
  return launch(conv_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_4_conv1, params_blocks_4_project, x_6, x_project_2_out, x_conv1_out);
}

}  // namespace resnet18_kernels::conv_3
