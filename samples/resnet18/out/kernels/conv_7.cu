// conv_7: convolution, rsqrt, subtract, add, multiply, ... over f32[2,1,1,64].
//
//   in   params_blocks_6_conv2            f32[3,3,64,64]
//   in   params_blocks_6_norm1_bias       f32[64]
//   in   params_blocks_6_norm1_mean       f32[64]
//   in   params_blocks_6_norm1_scale      f32[64]
//   in   params_blocks_6_norm1_variance   f32[64]
//   in   conv_in                          f32[2,1,1,64]
//   out  conv_out                         f32[2,1,1,64]
//
//   sub         = conv_in - params_blocks_6_norm1_mean
//   rsqrt_value = rsqrt(params_blocks_6_norm1_variance + 1e-05)
//   mul         = params_blocks_6_norm1_scale * rsqrt_value
//   max         = maximum(sub * mul + params_blocks_6_norm1_bias, 0)
//   conv_out    = convolution(max, params_blocks_6_conv2), window={size=3x3 pad=1_1x1_1}
//
// 4 blocks of 32 threads. Reads 149 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
conv_7(const float* __restrict__ params_blocks_6_conv2,
       const float* __restrict__ params_blocks_6_norm1_bias,
       const float* __restrict__ params_blocks_6_norm1_mean,
       const float* __restrict__ params_blocks_6_norm1_scale,
       const float* __restrict__ params_blocks_6_norm1_variance,
       const float* __restrict__ conv_in,
       float* __restrict__ conv_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 64;
  const int column = element % 64;

  float conv_next = 0.0f;
  for (int ky = 0; ky < 3; ++ky) {
    const int in_row = ky - 1;
    if (in_row < 0 || in_row >= 1) continue;
    for (int kx = 0; kx < 3; ++kx) {
      const int in_column = kx - 1;
      if (in_column < 0 || in_column >= 1) continue;
      for (int feature = 0; feature < 64; ++feature) {
        const float rsqrt_value = rsqrtf(params_blocks_6_norm1_variance[feature] + 1e-5f);
        const float mul = params_blocks_6_norm1_scale[feature] * rsqrt_value;
        const float sub = conv_in[row * 64 + feature] - params_blocks_6_norm1_mean[feature];
        conv_next = fmaf(maximum(fmaf(sub, mul, params_blocks_6_norm1_bias[feature]), 0.0f),
                         params_blocks_6_conv2[ky * 12288 + kx * 4096 + feature * 64 + column],
                         conv_next);
      }
    }
  }

  conv_out[element] = conv_next;
}

}  // namespace

cudaError_t
launch_conv_7(const float* params_blocks_6_conv2,
              const float* params_blocks_6_norm1_bias,
              const float* params_blocks_6_norm1_mean,
              const float* params_blocks_6_norm1_scale,
              const float* params_blocks_6_norm1_variance,
              const float* conv_in,
              float* conv_out,
              cudaStream_t stream) {
  return launch(conv_7, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_blocks_6_conv2, params_blocks_6_norm1_bias, params_blocks_6_norm1_mean,
                params_blocks_6_norm1_scale, params_blocks_6_norm1_variance, conv_in, conv_out);
}

}  // namespace resnet18_kernels
