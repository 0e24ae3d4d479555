// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace adamw_update_kernels {

cudaError_t
launch_add(const int* state_step_in, int* state_step_out, cudaStream_t stream);

cudaError_t
launch_power(const int* state_step, float* power_out, float* power_1_out, cudaStream_t stream);

cudaError_t
launch_update_1(const float* params_in,
                const float* grads,
                const float* state_m_in,
                const float* state_v_in,
                const float* power,
                const float* power_1,
                float* params_out,
                float* state_m_out,
                float* state_v_out,
                cudaStream_t stream);

cudaError_t
launch_update_10(const float* params_out_in,
                 const float* grads_out,
                 const float* state_m_out_in,
                 const float* state_v_out_in,
                 const float* power,
                 const float* power_1,
                 float* params_out_out,
                 float* state_m_out_out,
                 float* state_v_out_out,
                 cudaStream_t stream);

cudaError_t
launch_update_13(const float* params_qkv_bias_in,
                 const float* grads_qkv_bias,
                 const float* state_m_qkv_bias_in,
                 const float* state_v_qkv_bias_in,
                 const float* power,
                 const float* power_1,
                 float* params_qkv_bias_out,
                 float* state_m_qkv_bias_out,
                 float* state_v_qkv_bias_out,
                 cudaStream_t stream);

cudaError_t
launch_update_15(const float* params_up_bias_in,
                 const float* grads_up_bias,
                 const float* state_m_up_bias_in,
                 const float* state_v_up_bias_in,
                 const float* power,
                 const float* power_1,
                 float* params_up_bias_out,
                 float* state_m_up_bias_out,
                 float* state_v_up_bias_out,
                 cudaStream_t stream);

cudaError_t
launch_update_2(const float* params_final_norm_in,
                const float* grads_final_norm,
                const float* state_m_final_norm_in,
                const float* state_v_final_norm_in,
                const float* power,
                const float* power_1,
                float* params_final_norm_out,
                float* state_m_final_norm_out,
                float* state_v_final_norm_out,
                cudaStream_t stream);

cudaError_t
launch_update_4(const float* params_in,
                const float* grads,
                const float* state_m_in,
                const float* state_v_in,
                const float* power,
                const float* power_1,
                float* params_out,
                float* state_m_out,
                float* state_v_out,
                cudaStream_t stream);

cudaError_t
launch_update_5(const float* params_in,
                const float* grads,
                const float* state_m_in,
                const float* state_v_in,
                const float* power,
                const float* power_1,
                float* params_out,
                float* state_m_out,
                float* state_v_out,
                cudaStream_t stream);

}  // namespace adamw_update_kernels
