// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace adamw_update_kernels {

cudaError_t
launch_add(const int* state_step, int* add_32, cudaStream_t stream);

cudaError_t
launch_power(const int* add_32, float* power_out, float* power_out_1, cudaStream_t stream);

cudaError_t
launch_sub_1(const float* params_embedding,
             const float* grads_embedding,
             const float* state_m_embedding,
             const float* state_v_embedding,
             const float* power,
             const float* power_1,
             float* sub_1_out,
             float* add_1,
             float* add_33,
             cudaStream_t stream);

cudaError_t
launch_sub_10(const float* params_layer0_out,
              const float* grads_layer0_out,
              const float* state_m_layer0_out,
              const float* state_v_layer0_out,
              const float* power,
              const float* power_1,
              float* sub_10_out,
              float* add_10,
              float* add_42,
              cudaStream_t stream);

cudaError_t
launch_sub_13(const float* params_layer0_qkv_bias,
              const float* grads_layer0_qkv_bias,
              const float* state_m_layer0_qkv_bias,
              const float* state_v_layer0_qkv_bias,
              const float* power,
              const float* power_1,
              float* sub_13_out,
              float* add_13,
              float* add_45,
              cudaStream_t stream);

cudaError_t
launch_sub_15(const float* params_layer0_up_bias,
              const float* grads_layer0_up_bias,
              const float* state_m_layer0_up_bias,
              const float* state_v_layer0_up_bias,
              const float* power,
              const float* power_1,
              float* sub_15_out,
              float* add_15,
              float* add_47,
              cudaStream_t stream);

cudaError_t
launch_sub_2(const float* params_final_norm,
             const float* grads_final_norm,
             const float* state_m_final_norm,
             const float* state_v_final_norm,
             const float* power,
             const float* power_1,
             float* sub_2_out,
             float* add_2,
             float* add_34,
             cudaStream_t stream);

cudaError_t
launch_sub_3(const float* params_layer0_down,
             const float* grads_layer0_down,
             const float* state_m_layer0_down,
             const float* state_v_layer0_down,
             const float* power,
             const float* power_1,
             float* sub_3_out,
             float* add_3,
             float* add_35,
             cudaStream_t stream);

cudaError_t
launch_sub_4(const float* params_layer0_down_bias,
             const float* grads_layer0_down_bias,
             const float* state_m_layer0_down_bias,
             const float* state_v_layer0_down_bias,
             const float* power,
             const float* power_1,
             float* sub_4_out,
             float* add_4,
             float* add_36,
             cudaStream_t stream);

cudaError_t
launch_sub_5(const float* params_layer0_k,
             const float* grads_layer0_k,
             const float* state_m_layer0_k,
             const float* state_v_layer0_k,
             const float* power,
             const float* power_1,
             float* sub_5_out,
             float* add_5,
             float* add_37,
             cudaStream_t stream);

}  // namespace adamw_update_kernels
