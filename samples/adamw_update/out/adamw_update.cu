// adamw_update.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "adamw_update/adamw_update.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = adamw_update_kernels;

const char* adamw_update_range(const char* step);  // for profilers, see ranges.cpp

struct AdamwUpdateInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
};

struct AdamwUpdateGraph {
  AdamwUpdateInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const AdamwUpdateTensor kAdamwUpdateInputTable[] = {
    {"params_embedding", "f32", 2, kAdamwUpdateInParamsEmbedding, 4096},
    {"params_final_norm", "f32", 1, kAdamwUpdateInParamsFinalNorm, 64},
    {"params_layer0_down", "f32", 2, kAdamwUpdateInParamsLayer0Down, 4096},
    {"params_layer0_down_bias", "f32", 1, kAdamwUpdateInParamsLayer0DownBias, 64},
    {"params_layer0_k", "f32", 2, kAdamwUpdateInParamsLayer0K, 1024},
    {"params_layer0_norm1_bias", "f32", 1, kAdamwUpdateInParamsLayer0Norm1Bias, 64},
    {"params_layer0_norm1_scale", "f32", 1, kAdamwUpdateInParamsLayer0Norm1Scale, 64},
    {"params_layer0_norm2_bias", "f32", 1, kAdamwUpdateInParamsLayer0Norm2Bias, 64},
    {"params_layer0_norm2_scale", "f32", 1, kAdamwUpdateInParamsLayer0Norm2Scale, 64},
    {"params_layer0_out", "f32", 2, kAdamwUpdateInParamsLayer0Out, 1024},
    {"params_layer0_out_bias", "f32", 1, kAdamwUpdateInParamsLayer0OutBias, 64},
    {"params_layer0_q", "f32", 2, kAdamwUpdateInParamsLayer0Q, 1024},
    {"params_layer0_qkv_bias", "f32", 2, kAdamwUpdateInParamsLayer0QkvBias, 192},
    {"params_layer0_up", "f32", 2, kAdamwUpdateInParamsLayer0Up, 4096},
    {"params_layer0_up_bias", "f32", 1, kAdamwUpdateInParamsLayer0UpBias, 256},
    {"params_layer0_v", "f32", 2, kAdamwUpdateInParamsLayer0V, 1024},
    {"params_layer1_down", "f32", 2, kAdamwUpdateInParamsLayer1Down, 4096},
    {"params_layer1_down_bias", "f32", 1, kAdamwUpdateInParamsLayer1DownBias, 64},
    {"params_layer1_k", "f32", 2, kAdamwUpdateInParamsLayer1K, 1024},
    {"params_layer1_norm1_bias", "f32", 1, kAdamwUpdateInParamsLayer1Norm1Bias, 64},
    {"params_layer1_norm1_scale", "f32", 1, kAdamwUpdateInParamsLayer1Norm1Scale, 64},
    {"params_layer1_norm2_bias", "f32", 1, kAdamwUpdateInParamsLayer1Norm2Bias, 64},
    {"params_layer1_norm2_scale", "f32", 1, kAdamwUpdateInParamsLayer1Norm2Scale, 64},
    {"params_layer1_out", "f32", 2, kAdamwUpdateInParamsLayer1Out, 1024},
    {"params_layer1_out_bias", "f32", 1, kAdamwUpdateInParamsLayer1OutBias, 64},
    {"params_layer1_q", "f32", 2, kAdamwUpdateInParamsLayer1Q, 1024},
    {"params_layer1_qkv_bias", "f32", 2, kAdamwUpdateInParamsLayer1QkvBias, 192},
    {"params_layer1_up", "f32", 2, kAdamwUpdateInParamsLayer1Up, 4096},
    {"params_layer1_up_bias", "f32", 1, kAdamwUpdateInParamsLayer1UpBias, 256},
    {"params_layer1_v", "f32", 2, kAdamwUpdateInParamsLayer1V, 1024},
    {"params_position", "f32", 2, kAdamwUpdateInParamsPosition, 1024},
    {"grads_embedding", "f32", 2, kAdamwUpdateInGradsEmbedding, 4096},
    {"grads_final_norm", "f32", 1, kAdamwUpdateInGradsFinalNorm, 64},
    {"grads_layer0_down", "f32", 2, kAdamwUpdateInGradsLayer0Down, 4096},
    {"grads_layer0_down_bias", "f32", 1, kAdamwUpdateInGradsLayer0DownBias, 64},
    {"grads_layer0_k", "f32", 2, kAdamwUpdateInGradsLayer0K, 1024},
    {"grads_layer0_norm1_bias", "f32", 1, kAdamwUpdateInGradsLayer0Norm1Bias, 64},
    {"grads_layer0_norm1_scale", "f32", 1, kAdamwUpdateInGradsLayer0Norm1Scale, 64},
    {"grads_layer0_norm2_bias", "f32", 1, kAdamwUpdateInGradsLayer0Norm2Bias, 64},
    {"grads_layer0_norm2_scale", "f32", 1, kAdamwUpdateInGradsLayer0Norm2Scale, 64},
    {"grads_layer0_out", "f32", 2, kAdamwUpdateInGradsLayer0Out, 1024},
    {"grads_layer0_out_bias", "f32", 1, kAdamwUpdateInGradsLayer0OutBias, 64},
    {"grads_layer0_q", "f32", 2, kAdamwUpdateInGradsLayer0Q, 1024},
    {"grads_layer0_qkv_bias", "f32", 2, kAdamwUpdateInGradsLayer0QkvBias, 192},
    {"grads_layer0_up", "f32", 2, kAdamwUpdateInGradsLayer0Up, 4096},
    {"grads_layer0_up_bias", "f32", 1, kAdamwUpdateInGradsLayer0UpBias, 256},
    {"grads_layer0_v", "f32", 2, kAdamwUpdateInGradsLayer0V, 1024},
    {"grads_layer1_down", "f32", 2, kAdamwUpdateInGradsLayer1Down, 4096},
    {"grads_layer1_down_bias", "f32", 1, kAdamwUpdateInGradsLayer1DownBias, 64},
    {"grads_layer1_k", "f32", 2, kAdamwUpdateInGradsLayer1K, 1024},
    {"grads_layer1_norm1_bias", "f32", 1, kAdamwUpdateInGradsLayer1Norm1Bias, 64},
    {"grads_layer1_norm1_scale", "f32", 1, kAdamwUpdateInGradsLayer1Norm1Scale, 64},
    {"grads_layer1_norm2_bias", "f32", 1, kAdamwUpdateInGradsLayer1Norm2Bias, 64},
    {"grads_layer1_norm2_scale", "f32", 1, kAdamwUpdateInGradsLayer1Norm2Scale, 64},
    {"grads_layer1_out", "f32", 2, kAdamwUpdateInGradsLayer1Out, 1024},
    {"grads_layer1_out_bias", "f32", 1, kAdamwUpdateInGradsLayer1OutBias, 64},
    {"grads_layer1_q", "f32", 2, kAdamwUpdateInGradsLayer1Q, 1024},
    {"grads_layer1_qkv_bias", "f32", 2, kAdamwUpdateInGradsLayer1QkvBias, 192},
    {"grads_layer1_up", "f32", 2, kAdamwUpdateInGradsLayer1Up, 4096},
    {"grads_layer1_up_bias", "f32", 1, kAdamwUpdateInGradsLayer1UpBias, 256},
    {"grads_layer1_v", "f32", 2, kAdamwUpdateInGradsLayer1V, 1024},
    {"grads_position", "f32", 2, kAdamwUpdateInGradsPosition, 1024},
    {"state_m_embedding", "f32", 2, kAdamwUpdateInStateMEmbedding, 4096},
    {"state_m_final_norm", "f32", 1, kAdamwUpdateInStateMFinalNorm, 64},
    {"state_m_layer0_down", "f32", 2, kAdamwUpdateInStateMLayer0Down, 4096},
    {"state_m_layer0_down_bias", "f32", 1, kAdamwUpdateInStateMLayer0DownBias, 64},
    {"state_m_layer0_k", "f32", 2, kAdamwUpdateInStateMLayer0K, 1024},
    {"state_m_layer0_norm1_bias", "f32", 1, kAdamwUpdateInStateMLayer0Norm1Bias, 64},
    {"state_m_layer0_norm1_scale", "f32", 1, kAdamwUpdateInStateMLayer0Norm1Scale, 64},
    {"state_m_layer0_norm2_bias", "f32", 1, kAdamwUpdateInStateMLayer0Norm2Bias, 64},
    {"state_m_layer0_norm2_scale", "f32", 1, kAdamwUpdateInStateMLayer0Norm2Scale, 64},
    {"state_m_layer0_out", "f32", 2, kAdamwUpdateInStateMLayer0Out, 1024},
    {"state_m_layer0_out_bias", "f32", 1, kAdamwUpdateInStateMLayer0OutBias, 64},
    {"state_m_layer0_q", "f32", 2, kAdamwUpdateInStateMLayer0Q, 1024},
    {"state_m_layer0_qkv_bias", "f32", 2, kAdamwUpdateInStateMLayer0QkvBias, 192},
    {"state_m_layer0_up", "f32", 2, kAdamwUpdateInStateMLayer0Up, 4096},
    {"state_m_layer0_up_bias", "f32", 1, kAdamwUpdateInStateMLayer0UpBias, 256},
    {"state_m_layer0_v", "f32", 2, kAdamwUpdateInStateMLayer0V, 1024},
    {"state_m_layer1_down", "f32", 2, kAdamwUpdateInStateMLayer1Down, 4096},
    {"state_m_layer1_down_bias", "f32", 1, kAdamwUpdateInStateMLayer1DownBias, 64},
    {"state_m_layer1_k", "f32", 2, kAdamwUpdateInStateMLayer1K, 1024},
    {"state_m_layer1_norm1_bias", "f32", 1, kAdamwUpdateInStateMLayer1Norm1Bias, 64},
    {"state_m_layer1_norm1_scale", "f32", 1, kAdamwUpdateInStateMLayer1Norm1Scale, 64},
    {"state_m_layer1_norm2_bias", "f32", 1, kAdamwUpdateInStateMLayer1Norm2Bias, 64},
    {"state_m_layer1_norm2_scale", "f32", 1, kAdamwUpdateInStateMLayer1Norm2Scale, 64},
    {"state_m_layer1_out", "f32", 2, kAdamwUpdateInStateMLayer1Out, 1024},
    {"state_m_layer1_out_bias", "f32", 1, kAdamwUpdateInStateMLayer1OutBias, 64},
    {"state_m_layer1_q", "f32", 2, kAdamwUpdateInStateMLayer1Q, 1024},
    {"state_m_layer1_qkv_bias", "f32", 2, kAdamwUpdateInStateMLayer1QkvBias, 192},
    {"state_m_layer1_up", "f32", 2, kAdamwUpdateInStateMLayer1Up, 4096},
    {"state_m_layer1_up_bias", "f32", 1, kAdamwUpdateInStateMLayer1UpBias, 256},
    {"state_m_layer1_v", "f32", 2, kAdamwUpdateInStateMLayer1V, 1024},
    {"state_m_position", "f32", 2, kAdamwUpdateInStateMPosition, 1024},
    {"state_step", "s32", 0, nullptr, 4},
    {"state_v_embedding", "f32", 2, kAdamwUpdateInStateVEmbedding, 4096},
    {"state_v_final_norm", "f32", 1, kAdamwUpdateInStateVFinalNorm, 64},
    {"state_v_layer0_down", "f32", 2, kAdamwUpdateInStateVLayer0Down, 4096},
    {"state_v_layer0_down_bias", "f32", 1, kAdamwUpdateInStateVLayer0DownBias, 64},
    {"state_v_layer0_k", "f32", 2, kAdamwUpdateInStateVLayer0K, 1024},
    {"state_v_layer0_norm1_bias", "f32", 1, kAdamwUpdateInStateVLayer0Norm1Bias, 64},
    {"state_v_layer0_norm1_scale", "f32", 1, kAdamwUpdateInStateVLayer0Norm1Scale, 64},
    {"state_v_layer0_norm2_bias", "f32", 1, kAdamwUpdateInStateVLayer0Norm2Bias, 64},
    {"state_v_layer0_norm2_scale", "f32", 1, kAdamwUpdateInStateVLayer0Norm2Scale, 64},
    {"state_v_layer0_out", "f32", 2, kAdamwUpdateInStateVLayer0Out, 1024},
    {"state_v_layer0_out_bias", "f32", 1, kAdamwUpdateInStateVLayer0OutBias, 64},
    {"state_v_layer0_q", "f32", 2, kAdamwUpdateInStateVLayer0Q, 1024},
    {"state_v_layer0_qkv_bias", "f32", 2, kAdamwUpdateInStateVLayer0QkvBias, 192},
    {"state_v_layer0_up", "f32", 2, kAdamwUpdateInStateVLayer0Up, 4096},
    {"state_v_layer0_up_bias", "f32", 1, kAdamwUpdateInStateVLayer0UpBias, 256},
    {"state_v_layer0_v", "f32", 2, kAdamwUpdateInStateVLayer0V, 1024},
    {"state_v_layer1_down", "f32", 2, kAdamwUpdateInStateVLayer1Down, 4096},
    {"state_v_layer1_down_bias", "f32", 1, kAdamwUpdateInStateVLayer1DownBias, 64},
    {"state_v_layer1_k", "f32", 2, kAdamwUpdateInStateVLayer1K, 1024},
    {"state_v_layer1_norm1_bias", "f32", 1, kAdamwUpdateInStateVLayer1Norm1Bias, 64},
    {"state_v_layer1_norm1_scale", "f32", 1, kAdamwUpdateInStateVLayer1Norm1Scale, 64},
    {"state_v_layer1_norm2_bias", "f32", 1, kAdamwUpdateInStateVLayer1Norm2Bias, 64},
    {"state_v_layer1_norm2_scale", "f32", 1, kAdamwUpdateInStateVLayer1Norm2Scale, 64},
    {"state_v_layer1_out", "f32", 2, kAdamwUpdateInStateVLayer1Out, 1024},
    {"state_v_layer1_out_bias", "f32", 1, kAdamwUpdateInStateVLayer1OutBias, 64},
    {"state_v_layer1_q", "f32", 2, kAdamwUpdateInStateVLayer1Q, 1024},
    {"state_v_layer1_qkv_bias", "f32", 2, kAdamwUpdateInStateVLayer1QkvBias, 192},
    {"state_v_layer1_up", "f32", 2, kAdamwUpdateInStateVLayer1Up, 4096},
    {"state_v_layer1_up_bias", "f32", 1, kAdamwUpdateInStateVLayer1UpBias, 256},
    {"state_v_layer1_v", "f32", 2, kAdamwUpdateInStateVLayer1V, 1024},
    {"state_v_position", "f32", 2, kAdamwUpdateInStateVPosition, 1024},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const AdamwUpdateTensor kAdamwUpdateOutputTable[] = {
    {"params_embedding", "f32", 2, kAdamwUpdateOutParamsEmbedding, 4096},
    {"params_final_norm", "f32", 1, kAdamwUpdateOutParamsFinalNorm, 64},
    {"params_layer0_down", "f32", 2, kAdamwUpdateOutParamsLayer0Down, 4096},
    {"params_layer0_down_bias", "f32", 1, kAdamwUpdateOutParamsLayer0DownBias, 64},
    {"params_layer0_k", "f32", 2, kAdamwUpdateOutParamsLayer0K, 1024},
    {"params_layer0_norm1_bias", "f32", 1, kAdamwUpdateOutParamsLayer0Norm1Bias, 64},
    {"params_layer0_norm1_scale", "f32", 1, kAdamwUpdateOutParamsLayer0Norm1Scale, 64},
    {"params_layer0_norm2_bias", "f32", 1, kAdamwUpdateOutParamsLayer0Norm2Bias, 64},
    {"params_layer0_norm2_scale", "f32", 1, kAdamwUpdateOutParamsLayer0Norm2Scale, 64},
    {"params_layer0_out", "f32", 2, kAdamwUpdateOutParamsLayer0Out, 1024},
    {"params_layer0_out_bias", "f32", 1, kAdamwUpdateOutParamsLayer0OutBias, 64},
    {"params_layer0_q", "f32", 2, kAdamwUpdateOutParamsLayer0Q, 1024},
    {"params_layer0_qkv_bias", "f32", 2, kAdamwUpdateOutParamsLayer0QkvBias, 192},
    {"params_layer0_up", "f32", 2, kAdamwUpdateOutParamsLayer0Up, 4096},
    {"params_layer0_up_bias", "f32", 1, kAdamwUpdateOutParamsLayer0UpBias, 256},
    {"params_layer0_v", "f32", 2, kAdamwUpdateOutParamsLayer0V, 1024},
    {"params_layer1_down", "f32", 2, kAdamwUpdateOutParamsLayer1Down, 4096},
    {"params_layer1_down_bias", "f32", 1, kAdamwUpdateOutParamsLayer1DownBias, 64},
    {"params_layer1_k", "f32", 2, kAdamwUpdateOutParamsLayer1K, 1024},
    {"params_layer1_norm1_bias", "f32", 1, kAdamwUpdateOutParamsLayer1Norm1Bias, 64},
    {"params_layer1_norm1_scale", "f32", 1, kAdamwUpdateOutParamsLayer1Norm1Scale, 64},
    {"params_layer1_norm2_bias", "f32", 1, kAdamwUpdateOutParamsLayer1Norm2Bias, 64},
    {"params_layer1_norm2_scale", "f32", 1, kAdamwUpdateOutParamsLayer1Norm2Scale, 64},
    {"params_layer1_out", "f32", 2, kAdamwUpdateOutParamsLayer1Out, 1024},
    {"params_layer1_out_bias", "f32", 1, kAdamwUpdateOutParamsLayer1OutBias, 64},
    {"params_layer1_q", "f32", 2, kAdamwUpdateOutParamsLayer1Q, 1024},
    {"params_layer1_qkv_bias", "f32", 2, kAdamwUpdateOutParamsLayer1QkvBias, 192},
    {"params_layer1_up", "f32", 2, kAdamwUpdateOutParamsLayer1Up, 4096},
    {"params_layer1_up_bias", "f32", 1, kAdamwUpdateOutParamsLayer1UpBias, 256},
    {"params_layer1_v", "f32", 2, kAdamwUpdateOutParamsLayer1V, 1024},
    {"params_position", "f32", 2, kAdamwUpdateOutParamsPosition, 1024},
    {"state_m_embedding", "f32", 2, kAdamwUpdateOutStateMEmbedding, 4096},
    {"state_m_final_norm", "f32", 1, kAdamwUpdateOutStateMFinalNorm, 64},
    {"state_m_layer0_down", "f32", 2, kAdamwUpdateOutStateMLayer0Down, 4096},
    {"state_m_layer0_down_bias", "f32", 1, kAdamwUpdateOutStateMLayer0DownBias, 64},
    {"state_m_layer0_k", "f32", 2, kAdamwUpdateOutStateMLayer0K, 1024},
    {"state_m_layer0_norm1_bias", "f32", 1, kAdamwUpdateOutStateMLayer0Norm1Bias, 64},
    {"state_m_layer0_norm1_scale", "f32", 1, kAdamwUpdateOutStateMLayer0Norm1Scale, 64},
    {"state_m_layer0_norm2_bias", "f32", 1, kAdamwUpdateOutStateMLayer0Norm2Bias, 64},
    {"state_m_layer0_norm2_scale", "f32", 1, kAdamwUpdateOutStateMLayer0Norm2Scale, 64},
    {"state_m_layer0_out", "f32", 2, kAdamwUpdateOutStateMLayer0Out, 1024},
    {"state_m_layer0_out_bias", "f32", 1, kAdamwUpdateOutStateMLayer0OutBias, 64},
    {"state_m_layer0_q", "f32", 2, kAdamwUpdateOutStateMLayer0Q, 1024},
    {"state_m_layer0_qkv_bias", "f32", 2, kAdamwUpdateOutStateMLayer0QkvBias, 192},
    {"state_m_layer0_up", "f32", 2, kAdamwUpdateOutStateMLayer0Up, 4096},
    {"state_m_layer0_up_bias", "f32", 1, kAdamwUpdateOutStateMLayer0UpBias, 256},
    {"state_m_layer0_v", "f32", 2, kAdamwUpdateOutStateMLayer0V, 1024},
    {"state_m_layer1_down", "f32", 2, kAdamwUpdateOutStateMLayer1Down, 4096},
    {"state_m_layer1_down_bias", "f32", 1, kAdamwUpdateOutStateMLayer1DownBias, 64},
    {"state_m_layer1_k", "f32", 2, kAdamwUpdateOutStateMLayer1K, 1024},
    {"state_m_layer1_norm1_bias", "f32", 1, kAdamwUpdateOutStateMLayer1Norm1Bias, 64},
    {"state_m_layer1_norm1_scale", "f32", 1, kAdamwUpdateOutStateMLayer1Norm1Scale, 64},
    {"state_m_layer1_norm2_bias", "f32", 1, kAdamwUpdateOutStateMLayer1Norm2Bias, 64},
    {"state_m_layer1_norm2_scale", "f32", 1, kAdamwUpdateOutStateMLayer1Norm2Scale, 64},
    {"state_m_layer1_out", "f32", 2, kAdamwUpdateOutStateMLayer1Out, 1024},
    {"state_m_layer1_out_bias", "f32", 1, kAdamwUpdateOutStateMLayer1OutBias, 64},
    {"state_m_layer1_q", "f32", 2, kAdamwUpdateOutStateMLayer1Q, 1024},
    {"state_m_layer1_qkv_bias", "f32", 2, kAdamwUpdateOutStateMLayer1QkvBias, 192},
    {"state_m_layer1_up", "f32", 2, kAdamwUpdateOutStateMLayer1Up, 4096},
    {"state_m_layer1_up_bias", "f32", 1, kAdamwUpdateOutStateMLayer1UpBias, 256},
    {"state_m_layer1_v", "f32", 2, kAdamwUpdateOutStateMLayer1V, 1024},
    {"state_m_position", "f32", 2, kAdamwUpdateOutStateMPosition, 1024},
    {"state_step", "s32", 0, nullptr, 4},
    {"state_v_embedding", "f32", 2, kAdamwUpdateOutStateVEmbedding, 4096},
    {"state_v_final_norm", "f32", 1, kAdamwUpdateOutStateVFinalNorm, 64},
    {"state_v_layer0_down", "f32", 2, kAdamwUpdateOutStateVLayer0Down, 4096},
    {"state_v_layer0_down_bias", "f32", 1, kAdamwUpdateOutStateVLayer0DownBias, 64},
    {"state_v_layer0_k", "f32", 2, kAdamwUpdateOutStateVLayer0K, 1024},
    {"state_v_layer0_norm1_bias", "f32", 1, kAdamwUpdateOutStateVLayer0Norm1Bias, 64},
    {"state_v_layer0_norm1_scale", "f32", 1, kAdamwUpdateOutStateVLayer0Norm1Scale, 64},
    {"state_v_layer0_norm2_bias", "f32", 1, kAdamwUpdateOutStateVLayer0Norm2Bias, 64},
    {"state_v_layer0_norm2_scale", "f32", 1, kAdamwUpdateOutStateVLayer0Norm2Scale, 64},
    {"state_v_layer0_out", "f32", 2, kAdamwUpdateOutStateVLayer0Out, 1024},
    {"state_v_layer0_out_bias", "f32", 1, kAdamwUpdateOutStateVLayer0OutBias, 64},
    {"state_v_layer0_q", "f32", 2, kAdamwUpdateOutStateVLayer0Q, 1024},
    {"state_v_layer0_qkv_bias", "f32", 2, kAdamwUpdateOutStateVLayer0QkvBias, 192},
    {"state_v_layer0_up", "f32", 2, kAdamwUpdateOutStateVLayer0Up, 4096},
    {"state_v_layer0_up_bias", "f32", 1, kAdamwUpdateOutStateVLayer0UpBias, 256},
    {"state_v_layer0_v", "f32", 2, kAdamwUpdateOutStateVLayer0V, 1024},
    {"state_v_layer1_down", "f32", 2, kAdamwUpdateOutStateVLayer1Down, 4096},
    {"state_v_layer1_down_bias", "f32", 1, kAdamwUpdateOutStateVLayer1DownBias, 64},
    {"state_v_layer1_k", "f32", 2, kAdamwUpdateOutStateVLayer1K, 1024},
    {"state_v_layer1_norm1_bias", "f32", 1, kAdamwUpdateOutStateVLayer1Norm1Bias, 64},
    {"state_v_layer1_norm1_scale", "f32", 1, kAdamwUpdateOutStateVLayer1Norm1Scale, 64},
    {"state_v_layer1_norm2_bias", "f32", 1, kAdamwUpdateOutStateVLayer1Norm2Bias, 64},
    {"state_v_layer1_norm2_scale", "f32", 1, kAdamwUpdateOutStateVLayer1Norm2Scale, 64},
    {"state_v_layer1_out", "f32", 2, kAdamwUpdateOutStateVLayer1Out, 1024},
    {"state_v_layer1_out_bias", "f32", 1, kAdamwUpdateOutStateVLayer1OutBias, 64},
    {"state_v_layer1_q", "f32", 2, kAdamwUpdateOutStateVLayer1Q, 1024},
    {"state_v_layer1_qkv_bias", "f32", 2, kAdamwUpdateOutStateVLayer1QkvBias, 192},
    {"state_v_layer1_up", "f32", 2, kAdamwUpdateOutStateVLayer1Up, 4096},
    {"state_v_layer1_up_bias", "f32", 1, kAdamwUpdateOutStateVLayer1UpBias, 256},
    {"state_v_layer1_v", "f32", 2, kAdamwUpdateOutStateVLayer1V, 1024},
    {"state_v_position", "f32", 2, kAdamwUpdateOutStateVPosition, 1024},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 256;
// For each input, the output that may share its memory, or -1.
constexpr int kDonatedTo[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                              20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, -1, -1, -1, -1, -1, -1,
                              -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                              -1, -1, -1, -1, -1, -1, -1, -1, 31, 32, 33, 34, 35, 36, 37, 38, 39,
                              40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56,
                              57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73,
                              74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90,
                              91, 92, 93};
constexpr AdamwUpdateOptions kDefaults = ADAMW_UPDATE_OPTIONS;

thread_local constinit LastError last_error("adamw_update");

// True if the step did not succeed; then adamw_update_last_error() says why.
bool failed(const Step<adamw_update_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(AdamwUpdateInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 0);
  cudaError_t error = clear_on_device(created.finished, 4);
  return error;
}

}  // namespace

AdamwUpdateStatus adamw_update_create_with(AdamwUpdateInstance** instance,
                                           const AdamwUpdateOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

AdamwUpdateStatus adamw_update_run(AdamwUpdateInstance* instance, const AdamwUpdateInputs* in,
                                   const AdamwUpdateOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kAdamwUpdateInputTable, out,
                                  kAdamwUpdateOutputTable, kDonatedTo, last_error);
  if (wrong) return wrong;
  const Range<adamw_update_range> range("adamw_update_run");

  // sub.48, add.139, add.170  (layers.py:122), and 31 more
  const kernels::adamw_update::AdamwUpdateArrays adamw_update_arrays = {
      .update =
          {
              {in->params_layer0_up, in->grads_layer0_up, in->state_m_layer0_up, in->state_step,
               in->state_v_layer0_up, out->params_layer0_up, out->state_m_layer0_up,
               out->state_v_layer0_up},
              {in->params_layer1_up, in->grads_layer1_up, in->state_m_layer1_up, in->state_step,
               in->state_v_layer1_up, out->params_layer1_up, out->state_m_layer1_up,
               out->state_v_layer1_up},
              {in->params_embedding, in->grads_embedding, in->state_m_embedding, in->state_step,
               in->state_v_embedding, out->params_embedding, out->state_m_embedding,
               out->state_v_embedding},
              {in->params_layer0_down, in->grads_layer0_down, in->state_m_layer0_down,
               in->state_step, in->state_v_layer0_down, out->params_layer0_down,
               out->state_m_layer0_down, out->state_v_layer0_down},
              {in->params_layer1_down, in->grads_layer1_down, in->state_m_layer1_down,
               in->state_step, in->state_v_layer1_down, out->params_layer1_down,
               out->state_m_layer1_down, out->state_v_layer1_down},
          },
      .update_6 =
          {
              {in->params_layer0_k, in->grads_layer0_k, in->state_m_layer0_k, in->state_step,
               in->state_v_layer0_k, out->params_layer0_k, out->state_m_layer0_k,
               out->state_v_layer0_k},
              {in->params_layer0_out, in->grads_layer0_out, in->state_m_layer0_out, in->state_step,
               in->state_v_layer0_out, out->params_layer0_out, out->state_m_layer0_out,
               out->state_v_layer0_out},
              {in->params_layer0_q, in->grads_layer0_q, in->state_m_layer0_q, in->state_step,
               in->state_v_layer0_q, out->params_layer0_q, out->state_m_layer0_q,
               out->state_v_layer0_q},
              {in->params_layer0_v, in->grads_layer0_v, in->state_m_layer0_v, in->state_step,
               in->state_v_layer0_v, out->params_layer0_v, out->state_m_layer0_v,
               out->state_v_layer0_v},
              {in->params_layer1_k, in->grads_layer1_k, in->state_m_layer1_k, in->state_step,
               in->state_v_layer1_k, out->params_layer1_k, out->state_m_layer1_k,
               out->state_v_layer1_k},
              {in->params_layer1_out, in->grads_layer1_out, in->state_m_layer1_out, in->state_step,
               in->state_v_layer1_out, out->params_layer1_out, out->state_m_layer1_out,
               out->state_v_layer1_out},
              {in->params_layer1_q, in->grads_layer1_q, in->state_m_layer1_q, in->state_step,
               in->state_v_layer1_q, out->params_layer1_q, out->state_m_layer1_q,
               out->state_v_layer1_q},
              {in->params_layer1_v, in->grads_layer1_v, in->state_m_layer1_v, in->state_step,
               in->state_v_layer1_v, out->params_layer1_v, out->state_m_layer1_v,
               out->state_v_layer1_v},
              {in->params_position, in->grads_position, in->state_m_position, in->state_step,
               in->state_v_position, out->params_position, out->state_m_position,
               out->state_v_position},
          },
      .update_15 =
          {
              {in->params_layer0_qkv_bias, in->grads_layer0_qkv_bias, in->state_m_layer0_qkv_bias,
               in->state_step, in->state_v_layer0_qkv_bias, out->params_layer0_qkv_bias,
               out->state_m_layer0_qkv_bias, out->state_v_layer0_qkv_bias},
              {in->params_layer1_qkv_bias, in->grads_layer1_qkv_bias, in->state_m_layer1_qkv_bias,
               in->state_step, in->state_v_layer1_qkv_bias, out->params_layer1_qkv_bias,
               out->state_m_layer1_qkv_bias, out->state_v_layer1_qkv_bias},
          },
      .update_17 =
          {
              {in->params_layer0_up_bias, in->grads_layer0_up_bias, in->state_m_layer0_up_bias,
               in->state_step, in->state_v_layer0_up_bias, out->params_layer0_up_bias,
               out->state_m_layer0_up_bias, out->state_v_layer0_up_bias},
              {in->params_layer1_up_bias, in->grads_layer1_up_bias, in->state_m_layer1_up_bias,
               in->state_step, in->state_v_layer1_up_bias, out->params_layer1_up_bias,
               out->state_m_layer1_up_bias, out->state_v_layer1_up_bias},
          },
      .update_19 =
          {
              {in->params_final_norm, in->grads_final_norm, in->state_m_final_norm, in->state_step,
               in->state_v_final_norm, out->params_final_norm, out->state_m_final_norm,
               out->state_v_final_norm},
              {in->params_layer0_down_bias, in->grads_layer0_down_bias,
               in->state_m_layer0_down_bias, in->state_step, in->state_v_layer0_down_bias,
               out->params_layer0_down_bias, out->state_m_layer0_down_bias,
               out->state_v_layer0_down_bias},
              {in->params_layer0_norm1_bias, in->grads_layer0_norm1_bias,
               in->state_m_layer0_norm1_bias, in->state_step, in->state_v_layer0_norm1_bias,
               out->params_layer0_norm1_bias, out->state_m_layer0_norm1_bias,
               out->state_v_layer0_norm1_bias},
              {in->params_layer0_norm1_scale, in->grads_layer0_norm1_scale,
               in->state_m_layer0_norm1_scale, in->state_step, in->state_v_layer0_norm1_scale,
               out->params_layer0_norm1_scale, out->state_m_layer0_norm1_scale,
               out->state_v_layer0_norm1_scale},
              {in->params_layer0_norm2_bias, in->grads_layer0_norm2_bias,
               in->state_m_layer0_norm2_bias, in->state_step, in->state_v_layer0_norm2_bias,
               out->params_layer0_norm2_bias, out->state_m_layer0_norm2_bias,
               out->state_v_layer0_norm2_bias},
              {in->params_layer0_norm2_scale, in->grads_layer0_norm2_scale,
               in->state_m_layer0_norm2_scale, in->state_step, in->state_v_layer0_norm2_scale,
               out->params_layer0_norm2_scale, out->state_m_layer0_norm2_scale,
               out->state_v_layer0_norm2_scale},
              {in->params_layer0_out_bias, in->grads_layer0_out_bias, in->state_m_layer0_out_bias,
               in->state_step, in->state_v_layer0_out_bias, out->params_layer0_out_bias,
               out->state_m_layer0_out_bias, out->state_v_layer0_out_bias},
              {in->params_layer1_down_bias, in->grads_layer1_down_bias,
               in->state_m_layer1_down_bias, in->state_step, in->state_v_layer1_down_bias,
               out->params_layer1_down_bias, out->state_m_layer1_down_bias,
               out->state_v_layer1_down_bias},
              {in->params_layer1_norm1_bias, in->grads_layer1_norm1_bias,
               in->state_m_layer1_norm1_bias, in->state_step, in->state_v_layer1_norm1_bias,
               out->params_layer1_norm1_bias, out->state_m_layer1_norm1_bias,
               out->state_v_layer1_norm1_bias},
              {in->params_layer1_norm1_scale, in->grads_layer1_norm1_scale,
               in->state_m_layer1_norm1_scale, in->state_step, in->state_v_layer1_norm1_scale,
               out->params_layer1_norm1_scale, out->state_m_layer1_norm1_scale,
               out->state_v_layer1_norm1_scale},
              {in->params_layer1_norm2_bias, in->grads_layer1_norm2_bias,
               in->state_m_layer1_norm2_bias, in->state_step, in->state_v_layer1_norm2_bias,
               out->params_layer1_norm2_bias, out->state_m_layer1_norm2_bias,
               out->state_v_layer1_norm2_bias},
              {in->params_layer1_norm2_scale, in->grads_layer1_norm2_scale,
               in->state_m_layer1_norm2_scale, in->state_step, in->state_v_layer1_norm2_scale,
               out->params_layer1_norm2_scale, out->state_m_layer1_norm2_scale,
               out->state_v_layer1_norm2_scale},
              {in->params_layer1_out_bias, in->grads_layer1_out_bias, in->state_m_layer1_out_bias,
               in->state_step, in->state_v_layer1_out_bias, out->params_layer1_out_bias,
               out->state_m_layer1_out_bias, out->state_v_layer1_out_bias},
          },
      .step_value = {in->state_step, out->state_step},
      .finished = instance->finished,
  };
  if (failed({"adamw_update", kernels::adamw_update::enqueue(adamw_update_arrays, stream)})) {
    return kAdamwUpdateCudaError;
  }

  return kAdamwUpdateOk;
}

void adamw_update_destroy(AdamwUpdateInstance* instance) {
  destroy_instance(instance);
}

AdamwUpdateStatus adamw_update_capture(AdamwUpdateGraph** graph, AdamwUpdateInstance* instance,
                                       const AdamwUpdateInputs* in, const AdamwUpdateOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return adamw_update_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

AdamwUpdateStatus adamw_update_graph_launch(const AdamwUpdateGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

AdamwUpdateStatus adamw_update_graph_update(AdamwUpdateGraph* graph, const AdamwUpdateInputs* in,
                                            const AdamwUpdateOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return adamw_update_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t adamw_update_graph_exec(const AdamwUpdateGraph* graph) { return exec_of(graph); }

void adamw_update_graph_destroy(AdamwUpdateGraph* graph) { destroy_graph(graph); }

int64_t adamw_update_workspace_bytes() { return kWorkspaceBytes; }

const char* adamw_update_last_error() { return last_error.text(); }

const char* adamw_update_status_text(AdamwUpdateStatus status) { return status_text(status); }
