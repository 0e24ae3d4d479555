// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace adamw_update_kernels {

namespace adamw_update {
struct AdamwUpdateArrays {
  struct UpdatedArrays {
    const float* p_in;
    const float* g;
    const float* s_m_in;
    const int* s_step;
    const float* s_v_in;
    float* p_out;
    float* s_m_out;
    float* s_v_out;
  } updated[5];
  struct Updated6Arrays {
    const float* p_in;
    const float* g;
    const float* s_m_in;
    const int* s_step;
    const float* s_v_in;
    float* p_out;
    float* s_m_out;
    float* s_v_out;
  } updated_6[9];
  struct Updated15Arrays {
    const float* p_qkv_bias_in;
    const float* g_qkv_bias;
    const float* s_m_qkv_bias_in;
    const int* s_step;
    const float* s_v_qkv_bias_in;
    float* p_qkv_bias_out;
    float* s_m_qkv_bias_out;
    float* s_v_qkv_bias_out;
  } updated_15[2];
  struct Updated17Arrays {
    const float* p_up_bias_in;
    const float* g_up_bias;
    const float* s_m_up_bias_in;
    const int* s_step;
    const float* s_v_up_bias_in;
    float* p_up_bias_out;
    float* s_m_up_bias_out;
    float* s_v_up_bias_out;
  } updated_17[2];
  struct Updated19Arrays {
    const float* p_in;
    const float* g;
    const float* s_m_in;
    const int* s_step;
    const float* s_v_in;
    float* p_out;
    float* s_m_out;
    float* s_v_out;
  } updated_19[13];
  struct StepArrays {
    const int* s_step_in;
    int* s_step_out;
  } step;
  uint32_t* finished;
};

cudaError_t
enqueue(const AdamwUpdateArrays& arrays, cudaStream_t stream);
}  // namespace adamw_update

}  // namespace adamw_update_kernels
