// conv_6: convolution over f32[2,1,1,64].
//
//   in   params_blocks_6_conv1     f32[3,3,32,64]
//   in   params_blocks_6_project   f32[1,1,32,64]
//   in   max                       f32[2,2,2,32]
//   out  conv_1_out                f32[2,1,1,64]
//   out  conv_2_out                f32[2,1,1,64]
//
//   conv_1_out = convolution(max, params_blocks_6_project), window={size=1x1 stride=2x2}
//   conv_2_out = convolution(max, params_blocks_6_conv1), window={size=3x3 stride=2x2 pad=0_1x0_1}
//
// 4 blocks of 32 threads. Reads 82.9 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace resnet18_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_6(const float* __restrict__ params_blocks_6_conv1,
       const float* __restrict__ params_blocks_6_project,
       const float* __restrict__ max,
       float* __restrict__ conv_1_out,
       float* __restrict__ conv_2_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 64;
  const int column = element % 64;

  float conv_2 = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = ky;
    if (in_row >= 2) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = kx;
      if (in_column >= 2) continue;
      for (int feature = 0; feature < 32; ++feature) {
        conv_2 = fmaf(max[row * 128 + in_row * 64 + in_column * 32 + feature],
                      params_blocks_6_conv1[ky * 6144 + kx * 2048 + feature * 64 + column], conv_2);
      }
    }
  }
  float conv_1 = 0.0f;
  for (int feature = 0; feature < 32; ++feature) {
    conv_1 = fmaf(max[row * 128 + feature], params_blocks_6_project[feature * 64 + column], conv_1);
  }

  conv_1_out[element] = conv_1;
  conv_2_out[element] = conv_2;
}

}  // namespace

cudaError_t
launch_conv_6(const float* params_blocks_6_conv1,
              const float* params_blocks_6_project,
              const float* max,
              float* conv_1_out,
              float* conv_2_out,
              cudaStream_t stream) {
  return launch(conv_6, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_6_conv1, params_blocks_6_project, max, conv_1_out, conv_2_out);
}

}  // namespace resnet18_kernels
