// conv_3: convolution over f32[2,4,4,16].
//
//   in   params_blocks_2_project   f32[1,1,8,16]
//   in   max                       f32[2,8,8,8]
//   out  conv                      f32[2,4,4,16]
//
//   conv = convolution(max, params_blocks_2_project), window={size=1x1 stride=2x2}
//
// 16 blocks of 32 threads. Reads 1.5 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace resnet18_kernels {
namespace {

constexpr int kElements = 512;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_3(const float* __restrict__ params_blocks_2_project,
       const float* __restrict__ max,
       float* __restrict__ conv) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 64;
  const int j = element / 16 % 4;
  const int k = element % 16;

  float conv_1 = 0.0f;
  for (int feature = 0; feature < 8; ++feature) {
    conv_1 =
        fmaf(max[i * 128 + j * 16 + feature], params_blocks_2_project[feature * 16 + k], conv_1);
  }

  conv[element] = conv_1;
}

}  // namespace

cudaError_t
launch_conv_3(const float* params_blocks_2_project,
              const float* max,
              float* conv,
              cudaStream_t stream) {
  return launch(conv_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_2_project, max, conv);
}

}  // namespace resnet18_kernels
