// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace adamw_update_kernels {

namespace adamw_update {
struct AdamwUpdateArrays {
  struct UpdateArrays {
    const float* params_in;
    const float* grads;
    const float* state_m_in;
    const int* state_step;
    const float* state_v_in;
    float* params_out;
    float* state_m_out;
    float* state_v_out;
  } update[5];
  struct Update6Arrays {
    const float* params_in;
    const float* grads;
    const float* state_m_in;
    const int* state_step;
    const float* state_v_in;
    float* params_out;
    float* state_m_out;
    float* state_v_out;
  } update_6[9];
  struct Update15Arrays {
    const float* params_qkv_bias_in;
    const float* grads_qkv_bias;
    const float* state_m_qkv_bias_in;
    const int* state_step;
    const float* state_v_qkv_bias_in;
    float* params_qkv_bias_out;
    float* state_m_qkv_bias_out;
    float* state_v_qkv_bias_out;
  } update_15[2];
  struct Update17Arrays {
    const float* params_up_bias_in;
    const float* grads_up_bias;
    const float* state_m_up_bias_in;
    const int* state_step;
    const float* state_v_up_bias_in;
    float* params_up_bias_out;
    float* state_m_up_bias_out;
    float* state_v_up_bias_out;
  } update_17[2];
  struct Update19Arrays {
    const float* params_in;
    const float* grads;
    const float* state_m_in;
    const int* state_step;
    const float* state_v_in;
    float* params_out;
    float* state_m_out;
    float* state_v_out;
  } update_19[13];
  struct StepValueArrays {
    const int* state_step_in;
    int* state_step_out;
  } step_value;
  uint32_t* finished;
};

cudaError_t
enqueue(const AdamwUpdateArrays& arrays, cudaStream_t stream);
}  // namespace adamw_update

}  // namespace adamw_update_kernels
