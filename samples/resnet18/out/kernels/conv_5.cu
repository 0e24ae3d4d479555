// conv_5: convolution over f32[2,1,1,64].
//
//   in   params_blocks_6_conv1     f32[3,3,32,64]
//   in   params_blocks_6_project   f32[1,1,32,64]
//   in   x_8                       f32[2,2,2,32]
//   out  x_project_3_out           f32[2,1,1,64]
//   out  x_conv1_3_out             f32[2,1,1,64]
//
//   x_project_3_out = convolution(x_8, params_blocks_6_project), window={size=1x1 stride=2x2}
//   x_conv1_3_out   = convolution(x_8, params_blocks_6_conv1),
//                     window={size=3x3 stride=2x2 pad=0_1x0_1}
//
// 4 blocks of 32 threads. Reads 42.0 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace resnet18_kernels::conv_5 {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kFeatures = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_5(const float* __restrict__ params_blocks_6_conv1,
       const float* __restrict__ params_blocks_6_project,
       const float* __restrict__ x_8,
       float* __restrict__ x_project_3_out,
       float* __restrict__ x_conv1_3_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float x_conv1_3 = 0.0f;
  for (int ky = 0; ky < 2; ++ky) {
    for (int kx = 0; kx < 2; ++kx) {
      for (int feature = 0; feature < kFeatures; ++feature) {
        x_conv1_3 = fmaf(x_8[((row * 2 + ky) * 2 + kx) * kFeatures + feature],
                         params_blocks_6_conv1[ky * 6144 + (kx * kFeatures + feature) * kColumns +
                                               column],
                         x_conv1_3);
      }
    }
  }
  float x_project_3 = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    x_project_3 = fmaf(x_8[row * 128 + feature],
                       params_blocks_6_project[feature * kColumns + column], x_project_3);
  }

  x_project_3_out[element] = x_project_3;
  x_conv1_3_out[element] = x_conv1_3;
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_6_conv1, const float* params_blocks_6_project, const float* x_8,
        float* x_project_3_out, float* x_conv1_3_out, cudaStream_t stream) {
  return launch(conv_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_6_conv1, params_blocks_6_project, x_8, x_project_3_out,
                x_conv1_3_out);
}

}  // namespace resnet18_kernels::conv_5
