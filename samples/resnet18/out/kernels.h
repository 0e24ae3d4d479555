// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace resnet18_kernels {

namespace conv {
cudaError_t
enqueue(const float* params_norm_bias, const float* params_norm_mean,
        const float* params_norm_scale, const float* params_norm_variance, const float* params_stem,
        const float* images, float* x, cudaStream_t stream);
}  // namespace conv

namespace conv_2 {
struct Conv2Arrays {
  struct Conv9Arrays {
    const float* params_blocks_2_project;
    const float* x_4;
    float* x_project_out;
  } conv_9;
  struct Residual9Arrays {
    const float* params_blocks_2_conv1;
    const float* params_blocks_2_norm1_bias;
    const float* params_blocks_2_norm1_mean;
    const float* params_blocks_2_norm1_scale;
    const float* params_blocks_2_norm1_variance;
    const float* x_4;
    float* y_3;
  } residual_9;
};

cudaError_t
enqueue(const Conv2Arrays& arrays, cudaStream_t stream);
}  // namespace conv_2

namespace conv_3 {
cudaError_t
enqueue(const float* params_blocks_4_conv2, const float* params_blocks_4_norm1_bias,
        const float* params_blocks_4_norm1_mean, const float* params_blocks_4_norm1_scale,
        const float* params_blocks_4_norm1_variance, const float* params_blocks_4_norm2_bias,
        const float* params_blocks_4_norm2_mean, const float* params_blocks_4_norm2_scale,
        const float* params_blocks_4_norm2_variance, const float* params_blocks_4_norm3_bias,
        const float* params_blocks_4_norm3_mean, const float* params_blocks_4_norm3_scale,
        const float* params_blocks_4_norm3_variance, const float* x_conv1, const float* x_project_2,
        float* y_conv2_out, float* x_7, cudaStream_t stream);
}  // namespace conv_3

namespace conv_4 {
cudaError_t
enqueue(const float* params_blocks_5_conv1, const float* x_7, float* x_conv1_2_out,
        cudaStream_t stream);
}  // namespace conv_4

namespace conv_5 {
cudaError_t
enqueue(const float* params_blocks_6_conv1, const float* params_blocks_6_project, const float* x_8,
        float* x_project_3_out, float* x_conv1_3_out, cudaStream_t stream);
}  // namespace conv_5

namespace conv_6 {
cudaError_t
enqueue(const float* params_blocks_6_conv2, const float* params_blocks_6_norm1_bias,
        const float* params_blocks_6_norm1_mean, const float* params_blocks_6_norm1_scale,
        const float* params_blocks_6_norm1_variance, const float* x_conv1_3, float* y_conv2_2_out,
        cudaStream_t stream);
}  // namespace conv_6

namespace conv_7 {
cudaError_t
enqueue(const float* params_blocks_6_norm2_bias, const float* params_blocks_6_norm2_mean,
        const float* params_blocks_6_norm2_scale, const float* params_blocks_6_norm2_variance,
        const float* params_blocks_6_norm3_bias, const float* params_blocks_6_norm3_mean,
        const float* params_blocks_6_norm3_scale, const float* params_blocks_6_norm3_variance,
        const float* params_blocks_7_conv1, const float* x_project_3, const float* y_conv2_2,
        float* x_conv1_4_out, cudaStream_t stream);
}  // namespace conv_7

namespace conv_8 {
struct Conv8Arrays {
  struct Conv9Arrays {
    const float* params_blocks_7_conv2;
    const float* params_blocks_7_norm1_bias;
    const float* params_blocks_7_norm1_mean;
    const float* params_blocks_7_norm1_scale;
    const float* params_blocks_7_norm1_variance;
    const float* x_conv1_4;
    float* y_conv2_3_out;
  } conv_9;
  struct DenseArrays {
    const float* params_blocks_6_norm2_bias;
    const float* params_blocks_6_norm2_mean;
    const float* params_blocks_6_norm2_scale;
    const float* params_blocks_6_norm2_variance;
    const float* params_blocks_6_norm3_bias;
    const float* params_blocks_6_norm3_mean;
    const float* params_blocks_6_norm3_scale;
    const float* params_blocks_6_norm3_variance;
    const float* params_blocks_7_norm2_bias;
    const float* params_blocks_7_norm2_mean;
    const float* params_blocks_7_norm2_scale;
    const float* params_blocks_7_norm2_variance;
    const float* params_head_b;
    const float* params_head_w;
    const float* x_project_3;
    const float* y_conv2_2;
    const float* y_conv2_3;
    float* sum;
  } dense;
  uint32_t* finished;
};

cudaError_t
enqueue(const Conv8Arrays& arrays, cudaStream_t stream);
}  // namespace conv_8

namespace max_pool {
cudaError_t
enqueue(const float* x, float* x_2_out, cudaStream_t stream);
}  // namespace max_pool

namespace residual {
cudaError_t
enqueue(const float* params_blocks_conv1, const float* params_blocks_norm1_bias,
        const float* params_blocks_norm1_mean, const float* params_blocks_norm1_scale,
        const float* params_blocks_norm1_variance, const float* x, float* y, cudaStream_t stream);
}  // namespace residual

namespace residual_2 {
cudaError_t
enqueue(const float* params_blocks_conv2, const float* params_blocks_norm2_bias,
        const float* params_blocks_norm2_mean, const float* params_blocks_norm2_scale,
        const float* params_blocks_norm2_variance, const float* x_in, const float* y, float* x_out,
        cudaStream_t stream);
}  // namespace residual_2

namespace residual_5 {
cudaError_t
enqueue(const float* params_blocks_2_conv2, const float* params_blocks_2_norm2_bias,
        const float* params_blocks_2_norm2_mean, const float* params_blocks_2_norm2_scale,
        const float* params_blocks_2_norm2_variance, const float* params_blocks_2_norm3_bias,
        const float* params_blocks_2_norm3_mean, const float* params_blocks_2_norm3_scale,
        const float* params_blocks_2_norm3_variance, const float* x_project, const float* y_3,
        float* x_5, cudaStream_t stream);
}  // namespace residual_5

namespace residual_6 {
cudaError_t
enqueue(const float* params_blocks_3_conv1, const float* params_blocks_3_norm1_bias,
        const float* params_blocks_3_norm1_mean, const float* params_blocks_3_norm1_scale,
        const float* params_blocks_3_norm1_variance, const float* x_5, float* y_4,
        cudaStream_t stream);
}  // namespace residual_6

namespace residual_7 {
struct Residual7Arrays {
  struct Residual9Arrays {
    const float* params_blocks_3_conv2;
    const float* params_blocks_3_norm2_bias;
    const float* params_blocks_3_norm2_mean;
    const float* params_blocks_3_norm2_scale;
    const float* params_blocks_3_norm2_variance;
    const float* x_5;
    const float* y_4;
    float* x_6;
  } residual_9;
  struct Conv9Arrays {
    const float* params_blocks_4_conv1;
    const float* params_blocks_4_project;
    const float* x_6;
    float* x_project_2_out;
    float* x_conv1_out;
  } conv_9;
  uint32_t* finished;
};

cudaError_t
enqueue(const Residual7Arrays& arrays, cudaStream_t stream);
}  // namespace residual_7

namespace residual_8 {
cudaError_t
enqueue(const float* params_blocks_4_norm2_bias, const float* params_blocks_4_norm2_mean,
        const float* params_blocks_4_norm2_scale, const float* params_blocks_4_norm2_variance,
        const float* params_blocks_4_norm3_bias, const float* params_blocks_4_norm3_mean,
        const float* params_blocks_4_norm3_scale, const float* params_blocks_4_norm3_variance,
        const float* params_blocks_5_conv2, const float* params_blocks_5_norm1_bias,
        const float* params_blocks_5_norm1_mean, const float* params_blocks_5_norm1_scale,
        const float* params_blocks_5_norm1_variance, const float* params_blocks_5_norm2_bias,
        const float* params_blocks_5_norm2_mean, const float* params_blocks_5_norm2_scale,
        const float* params_blocks_5_norm2_variance, const float* x_project_2, const float* y_conv2,
        const float* x_conv1_2, float* x_8, cudaStream_t stream);
}  // namespace residual_8

}  // namespace resnet18_kernels
