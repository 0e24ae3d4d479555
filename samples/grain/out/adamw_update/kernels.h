// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace adamw_update_kernels {

namespace adamw_update {
struct AdamwUpdateArrays {
  struct PNewLayer0UpArrays {
    const float* p_in;
    const float* g;
    const float* s_m_in;
    const int* s_step;
    const float* s_v_in;
    float* p_out;
    float* s_m_out;
    float* s_v_out;
  } p_new_layer0_up[5];
  struct PNewLayer0KArrays {
    const float* p_in;
    const float* g;
    const float* s_m_in;
    const int* s_step;
    const float* s_v_in;
    float* p_out;
    float* s_m_out;
    float* s_v_out;
  } p_new_layer0_k[9];
  struct PNewLayer0QkvBiasArrays {
    const float* p_qkv_bias_in;
    const float* g_qkv_bias;
    const float* s_m_qkv_bias_in;
    const int* s_step;
    const float* s_v_qkv_bias_in;
    float* p_qkv_bias_out;
    float* s_m_qkv_bias_out;
    float* s_v_qkv_bias_out;
  } p_new_layer0_qkv_bias[2];
  struct PNewLayer0UpBiasArrays {
    const float* p_up_bias_in;
    const float* g_up_bias;
    const float* s_m_up_bias_in;
    const int* s_step;
    const float* s_v_up_bias_in;
    float* p_up_bias_out;
    float* s_m_up_bias_out;
    float* s_v_up_bias_out;
  } p_new_layer0_up_bias[2];
  struct PNewFinalNormArrays {
    const float* p_final_norm_in;
    const float* g_final_norm;
    const float* s_m_final_norm_in;
    const int* s_step;
    const float* s_v_final_norm_in;
    float* p_final_norm_out;
    float* s_m_final_norm_out;
    float* s_v_final_norm_out;
  } p_new_final_norm;
  struct PNewLayer0DownBiasArrays {
    const float* p_in;
    const float* g;
    const float* s_m_in;
    const int* s_step;
    const float* s_v_in;
    float* p_out;
    float* s_m_out;
    float* s_v_out;
  } p_new_layer0_down_bias[12];
  struct SNewStepArrays {
    const int* s_step_in;
    int* s_step_out;
  } s_new_step;
  uint32_t* finished;
};

cudaError_t
enqueue(const AdamwUpdateArrays& arrays, cudaStream_t stream);
}  // namespace adamw_update

}  // namespace adamw_update_kernels
