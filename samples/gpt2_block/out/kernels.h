// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace gpt2_block_kernels {

cudaError_t
launch_add_1(const float* params_attention_qkv_b,
             const float* params_attention_qkv_w,
             const float* params_norm1_bias,
             const float* params_norm1_scale,
             const float* x,
             const float* sum,
             const float* sum_1,
             float* add,
             cudaStream_t stream);

cudaError_t
launch_add_2(const float* params_attention_out_b,
             const float* params_attention_out_w,
             const float* x,
             const float* dot,
             float* add,
             cudaStream_t stream);

cudaError_t
launch_add_3(const float* params_norm2_bias,
             const float* params_norm2_scale,
             const float* add_in,
             float* add_out,
             cudaStream_t stream);

cudaError_t
launch_add_4(const float* params_down_b,
             const float* params_down_w,
             const float* add_in,
             const float* mul,
             float* add_out,
             cudaStream_t stream);

cudaError_t
launch_dot_1(const float* add, float* dot, cudaStream_t stream);

cudaError_t
launch_dot_2(const float* add,
             const float* dot_in,
             const float* max,
             const float* sum,
             float* dot_out,
             cudaStream_t stream);

cudaError_t
launch_max(const float* dot, float* max_out, cudaStream_t stream);

cudaError_t
launch_mul(const float* params_up_b,
           const float* params_up_w,
           const float* add,
           float* mul_out,
           cudaStream_t stream);

cudaError_t
launch_sum_1(const float* x, float* sum_out, float* sum_out_1, cudaStream_t stream);

cudaError_t
launch_sum_2(const float* dot, const float* max, float* sum, cudaStream_t stream);

}  // namespace gpt2_block_kernels
