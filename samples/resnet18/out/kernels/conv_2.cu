// conv_2: convolution over f32[2,4,4,16].
//
//   in   params_blocks_2_project   f32[1,1,8,16]
//   in   x_4                       f32[2,8,8,8]
//   out  x_project_out             f32[2,4,4,16]
//
//   x_project_out = convolution(x_4, params_blocks_2_project), window={size=1x1 stride=2x2}
//
// 16 blocks of 32 threads. Reads 1.5 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace resnet18_kernels::conv_2 {
namespace {

constexpr int kI = 8;
constexpr int kJ = 4;
constexpr int kK = 16;
constexpr int kElements = kI * kJ * kK;  // 512
constexpr int kFeatures = 8;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_2(const float* __restrict__ params_blocks_2_project,
       const float* __restrict__ x_4,
       float* __restrict__ x_project_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  float x_project = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    x_project =
        fmaf(x_4[i * 128 + j * 16 + feature], params_blocks_2_project[feature * kK + k], x_project);
  }

  x_project_out[element] = x_project;
}

}  // namespace

cudaError_t
enqueue(const float* params_blocks_2_project, const float* x_4, float* x_project_out,
        cudaStream_t stream) {
  return launch(conv_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_2_project, x_4, x_project_out);
}

}  // namespace resnet18_kernels::conv_2
