// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace gpt2_block_kernels {

cudaError_t
launch_attention(const float* sum, float* dot_out, cudaStream_t stream);

cudaError_t
launch_attention_2(const float* dot, float* max_out, float* weight_sum_out, cudaStream_t stream);

cudaError_t
launch_attention_3(const float* sum,
                   const float* dot_in,
                   const float* max,
                   const float* weight_sum,
                   float* dot_out,
                   cudaStream_t stream);

cudaError_t
launch_block(const float* params_attention_out_b,
             const float* params_attention_out_w,
             const float* x_in,
             const float* dot,
             float* x_out,
             cudaStream_t stream);

cudaError_t
launch_block_2(const float* params_up_b,
               const float* params_up_w,
               const float* normalised,
               float* gelu,
               cudaStream_t stream);

cudaError_t
launch_block_3(const float* params_down_b,
               const float* params_down_w,
               const float* x,
               const float* gelu,
               float* sum_out,
               cudaStream_t stream);

cudaError_t
launch_dense(const float* params_attention_qkv_b,
             const float* params_attention_qkv_w,
             const float* params_norm1_bias,
             const float* params_norm1_scale,
             const float* x,
             const float* sum_in,
             const float* square_sum,
             float* sum_out,
             cudaStream_t stream);

cudaError_t
launch_layer_norm(const float* x, float* sum_out, float* square_sum_out, cudaStream_t stream);

cudaError_t
launch_layer_norm_2(const float* params_norm2_bias,
                    const float* params_norm2_scale,
                    const float* x,
                    float* normalised,
                    cudaStream_t stream);

}  // namespace gpt2_block_kernels
