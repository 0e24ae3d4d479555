// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace resnet18_kernels {

cudaError_t
launch_conv(const float* params_norm_bias,
            const float* params_norm_mean,
            const float* params_norm_scale,
            const float* params_norm_variance,
            const float* params_stem,
            const float* images,
            float* x,
            cudaStream_t stream);

cudaError_t
launch_conv_2(const float* params_blocks_2_project,
              const float* x,
              float* x_project_out,
              cudaStream_t stream);

struct Conv3Arrays {
  struct ConvArrays {
    const float* params_blocks_4_conv1;
    const float* params_blocks_4_project;
    const float* x;
    float* x_project_out;
    float* x_conv1_out;
  } conv;
  struct ResidualArrays {
    const float* params_blocks_4_norm1_bias;
    const float* params_blocks_4_norm1_mean;
    const float* params_blocks_4_norm1_scale;
    const float* params_blocks_4_norm1_variance;
    const float* x_conv1;
    float* y;
  } residual;
  uint32_t* finished;
};

cudaError_t
launch_conv_3(const Conv3Arrays& arrays, cudaStream_t stream);

struct Conv4Arrays {
  struct ConvArrays {
    const float* params_blocks_4_conv2;
    const float* y;
    float* y_conv2_out;
  } conv;
  struct ResidualArrays {
    const float* params_blocks_4_norm2_bias;
    const float* params_blocks_4_norm2_mean;
    const float* params_blocks_4_norm2_scale;
    const float* params_blocks_4_norm2_variance;
    const float* params_blocks_4_norm3_bias;
    const float* params_blocks_4_norm3_mean;
    const float* params_blocks_4_norm3_scale;
    const float* params_blocks_4_norm3_variance;
    const float* x_project;
    const float* y_conv2;
    float* x;
  } residual;
  uint32_t* finished;
};

cudaError_t
launch_conv_4(const Conv4Arrays& arrays, cudaStream_t stream);

struct Conv5Arrays {
  struct ConvArrays {
    const float* params_blocks_5_conv1;
    const float* x;
    float* x_conv1_out;
  } conv;
  struct ResidualArrays {
    const float* params_blocks_5_norm1_bias;
    const float* params_blocks_5_norm1_mean;
    const float* params_blocks_5_norm1_scale;
    const float* params_blocks_5_norm1_variance;
    const float* x_conv1;
    float* y;
  } residual;
  uint32_t* finished;
};

cudaError_t
launch_conv_5(const Conv5Arrays& arrays, cudaStream_t stream);

struct Conv6Arrays {
  struct ConvArrays {
    const float* params_blocks_6_conv1;
    const float* params_blocks_6_project;
    const float* x;
    float* x_project_out;
    float* x_conv1_out;
  } conv;
  struct ResidualArrays {
    const float* params_blocks_6_norm1_bias;
    const float* params_blocks_6_norm1_mean;
    const float* params_blocks_6_norm1_scale;
    const float* params_blocks_6_norm1_variance;
    const float* x_conv1;
    float* y;
  } residual;
  uint32_t* finished;
};

cudaError_t
launch_conv_6(const Conv6Arrays& arrays, cudaStream_t stream);

struct Conv7Arrays {
  struct ConvArrays {
    const float* params_blocks_6_conv2;
    const float* y;
    float* y_conv2_out;
  } conv;
  struct ResidualArrays {
    const float* params_blocks_6_norm2_bias;
    const float* params_blocks_6_norm2_mean;
    const float* params_blocks_6_norm2_scale;
    const float* params_blocks_6_norm2_variance;
    const float* params_blocks_6_norm3_bias;
    const float* params_blocks_6_norm3_mean;
    const float* params_blocks_6_norm3_scale;
    const float* params_blocks_6_norm3_variance;
    const float* x_project;
    const float* y_conv2;
    float* x;
  } residual;
  uint32_t* finished;
};

cudaError_t
launch_conv_7(const Conv7Arrays& arrays, cudaStream_t stream);

struct Conv8Arrays {
  struct ConvArrays {
    const float* params_blocks_7_conv1;
    const float* x;
    float* x_conv1_out;
  } conv;
  struct ResidualArrays {
    const float* params_blocks_7_norm1_bias;
    const float* params_blocks_7_norm1_mean;
    const float* params_blocks_7_norm1_scale;
    const float* params_blocks_7_norm1_variance;
    const float* x_conv1;
    float* y;
  } residual;
  uint32_t* finished;
};

cudaError_t
launch_conv_8(const Conv8Arrays& arrays, cudaStream_t stream);

struct Conv9Arrays {
  struct ConvArrays {
    const float* params_blocks_7_conv2;
    const float* y;
    float* y_conv2_out;
  } conv;
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
    const float* x_project;
    const float* y_conv2;
    const float* y_conv2_1;
    float* sum;
  } dense;
  uint32_t* finished;
};

cudaError_t
launch_conv_9(const Conv9Arrays& arrays, cudaStream_t stream);

cudaError_t
launch_max_pool(const float* x_in, float* x_out, cudaStream_t stream);

cudaError_t
launch_residual(const float* params_blocks_conv1,
                const float* params_blocks_norm1_bias,
                const float* params_blocks_norm1_mean,
                const float* params_blocks_norm1_scale,
                const float* params_blocks_norm1_variance,
                const float* x,
                float* y,
                cudaStream_t stream);

cudaError_t
launch_residual_2(const float* params_blocks_conv2,
                  const float* params_blocks_norm2_bias,
                  const float* params_blocks_norm2_mean,
                  const float* params_blocks_norm2_scale,
                  const float* params_blocks_norm2_variance,
                  const float* x_in,
                  const float* y,
                  float* x_out,
                  cudaStream_t stream);

cudaError_t
launch_residual_5(const float* params_blocks_2_conv1,
                  const float* params_blocks_2_norm1_bias,
                  const float* params_blocks_2_norm1_mean,
                  const float* params_blocks_2_norm1_scale,
                  const float* params_blocks_2_norm1_variance,
                  const float* x,
                  float* y,
                  cudaStream_t stream);

cudaError_t
launch_residual_6(const float* params_blocks_2_conv2,
                  const float* params_blocks_2_norm2_bias,
                  const float* params_blocks_2_norm2_mean,
                  const float* params_blocks_2_norm2_scale,
                  const float* params_blocks_2_norm2_variance,
                  const float* params_blocks_2_norm3_bias,
                  const float* params_blocks_2_norm3_mean,
                  const float* params_blocks_2_norm3_scale,
                  const float* params_blocks_2_norm3_variance,
                  const float* x_project,
                  const float* y,
                  float* x,
                  cudaStream_t stream);

cudaError_t
launch_residual_7(const float* params_blocks_3_conv1,
                  const float* params_blocks_3_norm1_bias,
                  const float* params_blocks_3_norm1_mean,
                  const float* params_blocks_3_norm1_scale,
                  const float* params_blocks_3_norm1_variance,
                  const float* x,
                  float* y,
                  cudaStream_t stream);

cudaError_t
launch_residual_8(const float* params_blocks_3_conv2,
                  const float* params_blocks_3_norm2_bias,
                  const float* params_blocks_3_norm2_mean,
                  const float* params_blocks_3_norm2_scale,
                  const float* params_blocks_3_norm2_variance,
                  const float* x_in,
                  const float* y,
                  float* x_out,
                  cudaStream_t stream);

cudaError_t
launch_residual_9(const float* params_blocks_4_norm2_bias,
                  const float* params_blocks_4_norm2_mean,
                  const float* params_blocks_4_norm2_scale,
                  const float* params_blocks_4_norm2_variance,
                  const float* params_blocks_4_norm3_bias,
                  const float* params_blocks_4_norm3_mean,
                  const float* params_blocks_4_norm3_scale,
                  const float* params_blocks_4_norm3_variance,
                  const float* params_blocks_5_conv2,
                  const float* params_blocks_5_norm2_bias,
                  const float* params_blocks_5_norm2_mean,
                  const float* params_blocks_5_norm2_scale,
                  const float* params_blocks_5_norm2_variance,
                  const float* x_project,
                  const float* y_conv2,
                  const float* y,
                  float* x,
                  cudaStream_t stream);

}  // namespace resnet18_kernels
