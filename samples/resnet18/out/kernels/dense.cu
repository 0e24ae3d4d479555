// dense: dot, rsqrt, subtract, add, multiply, ... over f32[2,10].
//
//   in   params_blocks_6_norm2_bias       f32[64]
//   in   params_blocks_6_norm2_mean       f32[64]
//   in   params_blocks_6_norm2_scale      f32[64]
//   in   params_blocks_6_norm2_variance   f32[64]
//   in   params_blocks_6_norm3_bias       f32[64]
//   in   params_blocks_6_norm3_mean       f32[64]
//   in   params_blocks_6_norm3_scale      f32[64]
//   in   params_blocks_6_norm3_variance   f32[64]
//   in   params_blocks_7_norm2_bias       f32[64]
//   in   params_blocks_7_norm2_mean       f32[64]
//   in   params_blocks_7_norm2_scale      f32[64]
//   in   params_blocks_7_norm2_variance   f32[64]
//   in   params_head_b                    f32[10]
//   in   params_head_w                    f32[64,10]
//   in   conv                             f32[2,1,1,64]
//   in   conv_1                           f32[2,1,1,64]
//   in   conv_2                           f32[2,1,1,64]
//   out  add                              f32[2,10]
//
//   batch_norm  mul_1, mul_2, sub_1, sub_2, add_1
//   residual    dot
//
// One block of 32 threads. Reads 7.2 kB, writes 80 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace resnet18_kernels {
namespace {

constexpr int kElements = 20;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
dense(const float* __restrict__ params_blocks_6_norm2_bias,
      const float* __restrict__ params_blocks_6_norm2_mean,
      const float* __restrict__ params_blocks_6_norm2_scale,
      const float* __restrict__ params_blocks_6_norm2_variance,
      const float* __restrict__ params_blocks_6_norm3_bias,
      const float* __restrict__ params_blocks_6_norm3_mean,
      const float* __restrict__ params_blocks_6_norm3_scale,
      const float* __restrict__ params_blocks_6_norm3_variance,
      const float* __restrict__ params_blocks_7_norm2_bias,
      const float* __restrict__ params_blocks_7_norm2_mean,
      const float* __restrict__ params_blocks_7_norm2_scale,
      const float* __restrict__ params_blocks_7_norm2_variance,
      const float* __restrict__ params_head_b,
      const float* __restrict__ params_head_w,
      const float* __restrict__ conv,
      const float* __restrict__ conv_1,
      const float* __restrict__ conv_2,
      float* __restrict__ add) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 10;
  const int column = element % 10;

  float dot = 0.0f;
  for (int k = 0; k < 64; ++k) {
    const int index = row * 64 + k;

    // batch_norm
    const float rsqrt_value_1 = rsqrtf(params_blocks_6_norm2_variance[k] + 1e-5f);
    const float mul_1 = params_blocks_6_norm2_scale[k] * rsqrt_value_1;
    const float rsqrt_value_2 = rsqrtf(params_blocks_7_norm2_variance[k] + 1e-5f);
    const float mul_2 = params_blocks_7_norm2_scale[k] * rsqrt_value_2;
    const float sub_1 = conv_1[index] - params_blocks_6_norm2_mean[k];
    const float sub_2 = conv_2[index] - params_blocks_7_norm2_mean[k];
    const float rsqrt_value_3 = rsqrtf(params_blocks_6_norm3_variance[k] + 1e-5f);
    const float mul_3 = params_blocks_6_norm3_scale[k] * rsqrt_value_3;
    const float sub_3 = conv[index] - params_blocks_6_norm3_mean[k];
    const float add_1 = fmaf(sub_3, mul_3, params_blocks_6_norm3_bias[k]);

    // residual
    const float max_1 = maximum(add_1 + fmaf(sub_1, mul_1, params_blocks_6_norm2_bias[k]), 0.0f);
    const float max_2 = maximum(max_1 + fmaf(sub_2, mul_2, params_blocks_7_norm2_bias[k]), 0.0f);
    dot = fmaf(0.0f + max_2, params_head_w[k * 10 + column], dot);
  }

  add[element] = dot + params_head_b[column];
}

}  // namespace

cudaError_t
launch_dense(const float* params_blocks_6_norm2_bias,
             const float* params_blocks_6_norm2_mean,
             const float* params_blocks_6_norm2_scale,
             const float* params_blocks_6_norm2_variance,
             const float* params_blocks_6_norm3_bias,
             const float* params_blocks_6_norm3_mean,
             const float* params_blocks_6_norm3_scale,
             const float* params_blocks_6_norm3_variance,
             const float* params_blocks_7_norm2_bias,
             const float* params_blocks_7_norm2_mean,
             const float* params_blocks_7_norm2_scale,
             const float* params_blocks_7_norm2_variance,
             const float* params_head_b,
             const float* params_head_w,
             const float* conv,
             const float* conv_1,
             const float* conv_2,
             float* add,
             cudaStream_t stream) {
  return launch(dense, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                params_blocks_6_norm2_bias, params_blocks_6_norm2_mean, params_blocks_6_norm2_scale,
                params_blocks_6_norm2_variance, params_blocks_6_norm3_bias,
                params_blocks_6_norm3_mean, params_blocks_6_norm3_scale,
                params_blocks_6_norm3_variance, params_blocks_7_norm2_bias,
                params_blocks_7_norm2_mean, params_blocks_7_norm2_scale,
                params_blocks_7_norm2_variance, params_head_b, params_head_w, conv, conv_1, conv_2,
                add);
}

}  // namespace resnet18_kernels
