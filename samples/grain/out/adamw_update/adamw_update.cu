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
    {"p_embedding", "f32", 2, kAdamwUpdateInPEmbedding, 4096},
    {"p_final_norm", "f32", 1, kAdamwUpdateInPFinalNorm, 64},
    {"p_layer0_down", "f32", 2, kAdamwUpdateInPLayer0Down, 4096},
    {"p_layer0_down_bias", "f32", 1, kAdamwUpdateInPLayer0DownBias, 64},
    {"p_layer0_k", "f32", 2, kAdamwUpdateInPLayer0K, 1024},
    {"p_layer0_norm1_bias", "f32", 1, kAdamwUpdateInPLayer0Norm1Bias, 64},
    {"p_layer0_norm1_scale", "f32", 1, kAdamwUpdateInPLayer0Norm1Scale, 64},
    {"p_layer0_norm2_bias", "f32", 1, kAdamwUpdateInPLayer0Norm2Bias, 64},
    {"p_layer0_norm2_scale", "f32", 1, kAdamwUpdateInPLayer0Norm2Scale, 64},
    {"p_layer0_out", "f32", 2, kAdamwUpdateInPLayer0Out, 1024},
    {"p_layer0_out_bias", "f32", 1, kAdamwUpdateInPLayer0OutBias, 64},
    {"p_layer0_q", "f32", 2, kAdamwUpdateInPLayer0Q, 1024},
    {"p_layer0_qkv_bias", "f32", 2, kAdamwUpdateInPLayer0QkvBias, 192},
    {"p_layer0_up", "f32", 2, kAdamwUpdateInPLayer0Up, 4096},
    {"p_layer0_up_bias", "f32", 1, kAdamwUpdateInPLayer0UpBias, 256},
    {"p_layer0_v", "f32", 2, kAdamwUpdateInPLayer0V, 1024},
    {"p_layer1_down", "f32", 2, kAdamwUpdateInPLayer1Down, 4096},
    {"p_layer1_down_bias", "f32", 1, kAdamwUpdateInPLayer1DownBias, 64},
    {"p_layer1_k", "f32", 2, kAdamwUpdateInPLayer1K, 1024},
    {"p_layer1_norm1_bias", "f32", 1, kAdamwUpdateInPLayer1Norm1Bias, 64},
    {"p_layer1_norm1_scale", "f32", 1, kAdamwUpdateInPLayer1Norm1Scale, 64},
    {"p_layer1_norm2_bias", "f32", 1, kAdamwUpdateInPLayer1Norm2Bias, 64},
    {"p_layer1_norm2_scale", "f32", 1, kAdamwUpdateInPLayer1Norm2Scale, 64},
    {"p_layer1_out", "f32", 2, kAdamwUpdateInPLayer1Out, 1024},
    {"p_layer1_out_bias", "f32", 1, kAdamwUpdateInPLayer1OutBias, 64},
    {"p_layer1_q", "f32", 2, kAdamwUpdateInPLayer1Q, 1024},
    {"p_layer1_qkv_bias", "f32", 2, kAdamwUpdateInPLayer1QkvBias, 192},
    {"p_layer1_up", "f32", 2, kAdamwUpdateInPLayer1Up, 4096},
    {"p_layer1_up_bias", "f32", 1, kAdamwUpdateInPLayer1UpBias, 256},
    {"p_layer1_v", "f32", 2, kAdamwUpdateInPLayer1V, 1024},
    {"p_position", "f32", 2, kAdamwUpdateInPPosition, 1024},
    {"g_embedding", "f32", 2, kAdamwUpdateInGEmbedding, 4096},
    {"g_final_norm", "f32", 1, kAdamwUpdateInGFinalNorm, 64},
    {"g_layer0_down", "f32", 2, kAdamwUpdateInGLayer0Down, 4096},
    {"g_layer0_down_bias", "f32", 1, kAdamwUpdateInGLayer0DownBias, 64},
    {"g_layer0_k", "f32", 2, kAdamwUpdateInGLayer0K, 1024},
    {"g_layer0_norm1_bias", "f32", 1, kAdamwUpdateInGLayer0Norm1Bias, 64},
    {"g_layer0_norm1_scale", "f32", 1, kAdamwUpdateInGLayer0Norm1Scale, 64},
    {"g_layer0_norm2_bias", "f32", 1, kAdamwUpdateInGLayer0Norm2Bias, 64},
    {"g_layer0_norm2_scale", "f32", 1, kAdamwUpdateInGLayer0Norm2Scale, 64},
    {"g_layer0_out", "f32", 2, kAdamwUpdateInGLayer0Out, 1024},
    {"g_layer0_out_bias", "f32", 1, kAdamwUpdateInGLayer0OutBias, 64},
    {"g_layer0_q", "f32", 2, kAdamwUpdateInGLayer0Q, 1024},
    {"g_layer0_qkv_bias", "f32", 2, kAdamwUpdateInGLayer0QkvBias, 192},
    {"g_layer0_up", "f32", 2, kAdamwUpdateInGLayer0Up, 4096},
    {"g_layer0_up_bias", "f32", 1, kAdamwUpdateInGLayer0UpBias, 256},
    {"g_layer0_v", "f32", 2, kAdamwUpdateInGLayer0V, 1024},
    {"g_layer1_down", "f32", 2, kAdamwUpdateInGLayer1Down, 4096},
    {"g_layer1_down_bias", "f32", 1, kAdamwUpdateInGLayer1DownBias, 64},
    {"g_layer1_k", "f32", 2, kAdamwUpdateInGLayer1K, 1024},
    {"g_layer1_norm1_bias", "f32", 1, kAdamwUpdateInGLayer1Norm1Bias, 64},
    {"g_layer1_norm1_scale", "f32", 1, kAdamwUpdateInGLayer1Norm1Scale, 64},
    {"g_layer1_norm2_bias", "f32", 1, kAdamwUpdateInGLayer1Norm2Bias, 64},
    {"g_layer1_norm2_scale", "f32", 1, kAdamwUpdateInGLayer1Norm2Scale, 64},
    {"g_layer1_out", "f32", 2, kAdamwUpdateInGLayer1Out, 1024},
    {"g_layer1_out_bias", "f32", 1, kAdamwUpdateInGLayer1OutBias, 64},
    {"g_layer1_q", "f32", 2, kAdamwUpdateInGLayer1Q, 1024},
    {"g_layer1_qkv_bias", "f32", 2, kAdamwUpdateInGLayer1QkvBias, 192},
    {"g_layer1_up", "f32", 2, kAdamwUpdateInGLayer1Up, 4096},
    {"g_layer1_up_bias", "f32", 1, kAdamwUpdateInGLayer1UpBias, 256},
    {"g_layer1_v", "f32", 2, kAdamwUpdateInGLayer1V, 1024},
    {"g_position", "f32", 2, kAdamwUpdateInGPosition, 1024},
    {"s_m_embedding", "f32", 2, kAdamwUpdateInSMEmbedding, 4096},
    {"s_m_final_norm", "f32", 1, kAdamwUpdateInSMFinalNorm, 64},
    {"s_m_layer0_down", "f32", 2, kAdamwUpdateInSMLayer0Down, 4096},
    {"s_m_layer0_down_bias", "f32", 1, kAdamwUpdateInSMLayer0DownBias, 64},
    {"s_m_layer0_k", "f32", 2, kAdamwUpdateInSMLayer0K, 1024},
    {"s_m_layer0_norm1_bias", "f32", 1, kAdamwUpdateInSMLayer0Norm1Bias, 64},
    {"s_m_layer0_norm1_scale", "f32", 1, kAdamwUpdateInSMLayer0Norm1Scale, 64},
    {"s_m_layer0_norm2_bias", "f32", 1, kAdamwUpdateInSMLayer0Norm2Bias, 64},
    {"s_m_layer0_norm2_scale", "f32", 1, kAdamwUpdateInSMLayer0Norm2Scale, 64},
    {"s_m_layer0_out", "f32", 2, kAdamwUpdateInSMLayer0Out, 1024},
    {"s_m_layer0_out_bias", "f32", 1, kAdamwUpdateInSMLayer0OutBias, 64},
    {"s_m_layer0_q", "f32", 2, kAdamwUpdateInSMLayer0Q, 1024},
    {"s_m_layer0_qkv_bias", "f32", 2, kAdamwUpdateInSMLayer0QkvBias, 192},
    {"s_m_layer0_up", "f32", 2, kAdamwUpdateInSMLayer0Up, 4096},
    {"s_m_layer0_up_bias", "f32", 1, kAdamwUpdateInSMLayer0UpBias, 256},
    {"s_m_layer0_v", "f32", 2, kAdamwUpdateInSMLayer0V, 1024},
    {"s_m_layer1_down", "f32", 2, kAdamwUpdateInSMLayer1Down, 4096},
    {"s_m_layer1_down_bias", "f32", 1, kAdamwUpdateInSMLayer1DownBias, 64},
    {"s_m_layer1_k", "f32", 2, kAdamwUpdateInSMLayer1K, 1024},
    {"s_m_layer1_norm1_bias", "f32", 1, kAdamwUpdateInSMLayer1Norm1Bias, 64},
    {"s_m_layer1_norm1_scale", "f32", 1, kAdamwUpdateInSMLayer1Norm1Scale, 64},
    {"s_m_layer1_norm2_bias", "f32", 1, kAdamwUpdateInSMLayer1Norm2Bias, 64},
    {"s_m_layer1_norm2_scale", "f32", 1, kAdamwUpdateInSMLayer1Norm2Scale, 64},
    {"s_m_layer1_out", "f32", 2, kAdamwUpdateInSMLayer1Out, 1024},
    {"s_m_layer1_out_bias", "f32", 1, kAdamwUpdateInSMLayer1OutBias, 64},
    {"s_m_layer1_q", "f32", 2, kAdamwUpdateInSMLayer1Q, 1024},
    {"s_m_layer1_qkv_bias", "f32", 2, kAdamwUpdateInSMLayer1QkvBias, 192},
    {"s_m_layer1_up", "f32", 2, kAdamwUpdateInSMLayer1Up, 4096},
    {"s_m_layer1_up_bias", "f32", 1, kAdamwUpdateInSMLayer1UpBias, 256},
    {"s_m_layer1_v", "f32", 2, kAdamwUpdateInSMLayer1V, 1024},
    {"s_m_position", "f32", 2, kAdamwUpdateInSMPosition, 1024},
    {"s_step", "s32", 0, nullptr, 4},
    {"s_v_embedding", "f32", 2, kAdamwUpdateInSVEmbedding, 4096},
    {"s_v_final_norm", "f32", 1, kAdamwUpdateInSVFinalNorm, 64},
    {"s_v_layer0_down", "f32", 2, kAdamwUpdateInSVLayer0Down, 4096},
    {"s_v_layer0_down_bias", "f32", 1, kAdamwUpdateInSVLayer0DownBias, 64},
    {"s_v_layer0_k", "f32", 2, kAdamwUpdateInSVLayer0K, 1024},
    {"s_v_layer0_norm1_bias", "f32", 1, kAdamwUpdateInSVLayer0Norm1Bias, 64},
    {"s_v_layer0_norm1_scale", "f32", 1, kAdamwUpdateInSVLayer0Norm1Scale, 64},
    {"s_v_layer0_norm2_bias", "f32", 1, kAdamwUpdateInSVLayer0Norm2Bias, 64},
    {"s_v_layer0_norm2_scale", "f32", 1, kAdamwUpdateInSVLayer0Norm2Scale, 64},
    {"s_v_layer0_out", "f32", 2, kAdamwUpdateInSVLayer0Out, 1024},
    {"s_v_layer0_out_bias", "f32", 1, kAdamwUpdateInSVLayer0OutBias, 64},
    {"s_v_layer0_q", "f32", 2, kAdamwUpdateInSVLayer0Q, 1024},
    {"s_v_layer0_qkv_bias", "f32", 2, kAdamwUpdateInSVLayer0QkvBias, 192},
    {"s_v_layer0_up", "f32", 2, kAdamwUpdateInSVLayer0Up, 4096},
    {"s_v_layer0_up_bias", "f32", 1, kAdamwUpdateInSVLayer0UpBias, 256},
    {"s_v_layer0_v", "f32", 2, kAdamwUpdateInSVLayer0V, 1024},
    {"s_v_layer1_down", "f32", 2, kAdamwUpdateInSVLayer1Down, 4096},
    {"s_v_layer1_down_bias", "f32", 1, kAdamwUpdateInSVLayer1DownBias, 64},
    {"s_v_layer1_k", "f32", 2, kAdamwUpdateInSVLayer1K, 1024},
    {"s_v_layer1_norm1_bias", "f32", 1, kAdamwUpdateInSVLayer1Norm1Bias, 64},
    {"s_v_layer1_norm1_scale", "f32", 1, kAdamwUpdateInSVLayer1Norm1Scale, 64},
    {"s_v_layer1_norm2_bias", "f32", 1, kAdamwUpdateInSVLayer1Norm2Bias, 64},
    {"s_v_layer1_norm2_scale", "f32", 1, kAdamwUpdateInSVLayer1Norm2Scale, 64},
    {"s_v_layer1_out", "f32", 2, kAdamwUpdateInSVLayer1Out, 1024},
    {"s_v_layer1_out_bias", "f32", 1, kAdamwUpdateInSVLayer1OutBias, 64},
    {"s_v_layer1_q", "f32", 2, kAdamwUpdateInSVLayer1Q, 1024},
    {"s_v_layer1_qkv_bias", "f32", 2, kAdamwUpdateInSVLayer1QkvBias, 192},
    {"s_v_layer1_up", "f32", 2, kAdamwUpdateInSVLayer1Up, 4096},
    {"s_v_layer1_up_bias", "f32", 1, kAdamwUpdateInSVLayer1UpBias, 256},
    {"s_v_layer1_v", "f32", 2, kAdamwUpdateInSVLayer1V, 1024},
    {"s_v_position", "f32", 2, kAdamwUpdateInSVPosition, 1024},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const AdamwUpdateTensor kAdamwUpdateOutputTable[] = {
    {"p_embedding", "f32", 2, kAdamwUpdateOutPEmbedding, 4096},
    {"p_final_norm", "f32", 1, kAdamwUpdateOutPFinalNorm, 64},
    {"p_layer0_down", "f32", 2, kAdamwUpdateOutPLayer0Down, 4096},
    {"p_layer0_down_bias", "f32", 1, kAdamwUpdateOutPLayer0DownBias, 64},
    {"p_layer0_k", "f32", 2, kAdamwUpdateOutPLayer0K, 1024},
    {"p_layer0_norm1_bias", "f32", 1, kAdamwUpdateOutPLayer0Norm1Bias, 64},
    {"p_layer0_norm1_scale", "f32", 1, kAdamwUpdateOutPLayer0Norm1Scale, 64},
    {"p_layer0_norm2_bias", "f32", 1, kAdamwUpdateOutPLayer0Norm2Bias, 64},
    {"p_layer0_norm2_scale", "f32", 1, kAdamwUpdateOutPLayer0Norm2Scale, 64},
    {"p_layer0_out", "f32", 2, kAdamwUpdateOutPLayer0Out, 1024},
    {"p_layer0_out_bias", "f32", 1, kAdamwUpdateOutPLayer0OutBias, 64},
    {"p_layer0_q", "f32", 2, kAdamwUpdateOutPLayer0Q, 1024},
    {"p_layer0_qkv_bias", "f32", 2, kAdamwUpdateOutPLayer0QkvBias, 192},
    {"p_layer0_up", "f32", 2, kAdamwUpdateOutPLayer0Up, 4096},
    {"p_layer0_up_bias", "f32", 1, kAdamwUpdateOutPLayer0UpBias, 256},
    {"p_layer0_v", "f32", 2, kAdamwUpdateOutPLayer0V, 1024},
    {"p_layer1_down", "f32", 2, kAdamwUpdateOutPLayer1Down, 4096},
    {"p_layer1_down_bias", "f32", 1, kAdamwUpdateOutPLayer1DownBias, 64},
    {"p_layer1_k", "f32", 2, kAdamwUpdateOutPLayer1K, 1024},
    {"p_layer1_norm1_bias", "f32", 1, kAdamwUpdateOutPLayer1Norm1Bias, 64},
    {"p_layer1_norm1_scale", "f32", 1, kAdamwUpdateOutPLayer1Norm1Scale, 64},
    {"p_layer1_norm2_bias", "f32", 1, kAdamwUpdateOutPLayer1Norm2Bias, 64},
    {"p_layer1_norm2_scale", "f32", 1, kAdamwUpdateOutPLayer1Norm2Scale, 64},
    {"p_layer1_out", "f32", 2, kAdamwUpdateOutPLayer1Out, 1024},
    {"p_layer1_out_bias", "f32", 1, kAdamwUpdateOutPLayer1OutBias, 64},
    {"p_layer1_q", "f32", 2, kAdamwUpdateOutPLayer1Q, 1024},
    {"p_layer1_qkv_bias", "f32", 2, kAdamwUpdateOutPLayer1QkvBias, 192},
    {"p_layer1_up", "f32", 2, kAdamwUpdateOutPLayer1Up, 4096},
    {"p_layer1_up_bias", "f32", 1, kAdamwUpdateOutPLayer1UpBias, 256},
    {"p_layer1_v", "f32", 2, kAdamwUpdateOutPLayer1V, 1024},
    {"p_position", "f32", 2, kAdamwUpdateOutPPosition, 1024},
    {"s_m_embedding", "f32", 2, kAdamwUpdateOutSMEmbedding, 4096},
    {"s_m_final_norm", "f32", 1, kAdamwUpdateOutSMFinalNorm, 64},
    {"s_m_layer0_down", "f32", 2, kAdamwUpdateOutSMLayer0Down, 4096},
    {"s_m_layer0_down_bias", "f32", 1, kAdamwUpdateOutSMLayer0DownBias, 64},
    {"s_m_layer0_k", "f32", 2, kAdamwUpdateOutSMLayer0K, 1024},
    {"s_m_layer0_norm1_bias", "f32", 1, kAdamwUpdateOutSMLayer0Norm1Bias, 64},
    {"s_m_layer0_norm1_scale", "f32", 1, kAdamwUpdateOutSMLayer0Norm1Scale, 64},
    {"s_m_layer0_norm2_bias", "f32", 1, kAdamwUpdateOutSMLayer0Norm2Bias, 64},
    {"s_m_layer0_norm2_scale", "f32", 1, kAdamwUpdateOutSMLayer0Norm2Scale, 64},
    {"s_m_layer0_out", "f32", 2, kAdamwUpdateOutSMLayer0Out, 1024},
    {"s_m_layer0_out_bias", "f32", 1, kAdamwUpdateOutSMLayer0OutBias, 64},
    {"s_m_layer0_q", "f32", 2, kAdamwUpdateOutSMLayer0Q, 1024},
    {"s_m_layer0_qkv_bias", "f32", 2, kAdamwUpdateOutSMLayer0QkvBias, 192},
    {"s_m_layer0_up", "f32", 2, kAdamwUpdateOutSMLayer0Up, 4096},
    {"s_m_layer0_up_bias", "f32", 1, kAdamwUpdateOutSMLayer0UpBias, 256},
    {"s_m_layer0_v", "f32", 2, kAdamwUpdateOutSMLayer0V, 1024},
    {"s_m_layer1_down", "f32", 2, kAdamwUpdateOutSMLayer1Down, 4096},
    {"s_m_layer1_down_bias", "f32", 1, kAdamwUpdateOutSMLayer1DownBias, 64},
    {"s_m_layer1_k", "f32", 2, kAdamwUpdateOutSMLayer1K, 1024},
    {"s_m_layer1_norm1_bias", "f32", 1, kAdamwUpdateOutSMLayer1Norm1Bias, 64},
    {"s_m_layer1_norm1_scale", "f32", 1, kAdamwUpdateOutSMLayer1Norm1Scale, 64},
    {"s_m_layer1_norm2_bias", "f32", 1, kAdamwUpdateOutSMLayer1Norm2Bias, 64},
    {"s_m_layer1_norm2_scale", "f32", 1, kAdamwUpdateOutSMLayer1Norm2Scale, 64},
    {"s_m_layer1_out", "f32", 2, kAdamwUpdateOutSMLayer1Out, 1024},
    {"s_m_layer1_out_bias", "f32", 1, kAdamwUpdateOutSMLayer1OutBias, 64},
    {"s_m_layer1_q", "f32", 2, kAdamwUpdateOutSMLayer1Q, 1024},
    {"s_m_layer1_qkv_bias", "f32", 2, kAdamwUpdateOutSMLayer1QkvBias, 192},
    {"s_m_layer1_up", "f32", 2, kAdamwUpdateOutSMLayer1Up, 4096},
    {"s_m_layer1_up_bias", "f32", 1, kAdamwUpdateOutSMLayer1UpBias, 256},
    {"s_m_layer1_v", "f32", 2, kAdamwUpdateOutSMLayer1V, 1024},
    {"s_m_position", "f32", 2, kAdamwUpdateOutSMPosition, 1024},
    {"s_step", "s32", 0, nullptr, 4},
    {"s_v_embedding", "f32", 2, kAdamwUpdateOutSVEmbedding, 4096},
    {"s_v_final_norm", "f32", 1, kAdamwUpdateOutSVFinalNorm, 64},
    {"s_v_layer0_down", "f32", 2, kAdamwUpdateOutSVLayer0Down, 4096},
    {"s_v_layer0_down_bias", "f32", 1, kAdamwUpdateOutSVLayer0DownBias, 64},
    {"s_v_layer0_k", "f32", 2, kAdamwUpdateOutSVLayer0K, 1024},
    {"s_v_layer0_norm1_bias", "f32", 1, kAdamwUpdateOutSVLayer0Norm1Bias, 64},
    {"s_v_layer0_norm1_scale", "f32", 1, kAdamwUpdateOutSVLayer0Norm1Scale, 64},
    {"s_v_layer0_norm2_bias", "f32", 1, kAdamwUpdateOutSVLayer0Norm2Bias, 64},
    {"s_v_layer0_norm2_scale", "f32", 1, kAdamwUpdateOutSVLayer0Norm2Scale, 64},
    {"s_v_layer0_out", "f32", 2, kAdamwUpdateOutSVLayer0Out, 1024},
    {"s_v_layer0_out_bias", "f32", 1, kAdamwUpdateOutSVLayer0OutBias, 64},
    {"s_v_layer0_q", "f32", 2, kAdamwUpdateOutSVLayer0Q, 1024},
    {"s_v_layer0_qkv_bias", "f32", 2, kAdamwUpdateOutSVLayer0QkvBias, 192},
    {"s_v_layer0_up", "f32", 2, kAdamwUpdateOutSVLayer0Up, 4096},
    {"s_v_layer0_up_bias", "f32", 1, kAdamwUpdateOutSVLayer0UpBias, 256},
    {"s_v_layer0_v", "f32", 2, kAdamwUpdateOutSVLayer0V, 1024},
    {"s_v_layer1_down", "f32", 2, kAdamwUpdateOutSVLayer1Down, 4096},
    {"s_v_layer1_down_bias", "f32", 1, kAdamwUpdateOutSVLayer1DownBias, 64},
    {"s_v_layer1_k", "f32", 2, kAdamwUpdateOutSVLayer1K, 1024},
    {"s_v_layer1_norm1_bias", "f32", 1, kAdamwUpdateOutSVLayer1Norm1Bias, 64},
    {"s_v_layer1_norm1_scale", "f32", 1, kAdamwUpdateOutSVLayer1Norm1Scale, 64},
    {"s_v_layer1_norm2_bias", "f32", 1, kAdamwUpdateOutSVLayer1Norm2Bias, 64},
    {"s_v_layer1_norm2_scale", "f32", 1, kAdamwUpdateOutSVLayer1Norm2Scale, 64},
    {"s_v_layer1_out", "f32", 2, kAdamwUpdateOutSVLayer1Out, 1024},
    {"s_v_layer1_out_bias", "f32", 1, kAdamwUpdateOutSVLayer1OutBias, 64},
    {"s_v_layer1_q", "f32", 2, kAdamwUpdateOutSVLayer1Q, 1024},
    {"s_v_layer1_qkv_bias", "f32", 2, kAdamwUpdateOutSVLayer1QkvBias, 192},
    {"s_v_layer1_up", "f32", 2, kAdamwUpdateOutSVLayer1Up, 4096},
    {"s_v_layer1_up_bias", "f32", 1, kAdamwUpdateOutSVLayer1UpBias, 256},
    {"s_v_layer1_v", "f32", 2, kAdamwUpdateOutSVLayer1V, 1024},
    {"s_v_position", "f32", 2, kAdamwUpdateOutSVPosition, 1024},
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

  // p_new_layer0_up, m_layer0_up, v_layer0_up  (adamw_update.grain:35), and 31 more
  const kernels::adamw_update::AdamwUpdateArrays adamw_update_arrays = {
      .p_new_layer0_up =
          {
              {in->p_layer0_up, in->g_layer0_up, in->s_m_layer0_up, in->s_step, in->s_v_layer0_up,
               out->p_layer0_up, out->s_m_layer0_up, out->s_v_layer0_up},
              {in->p_layer1_up, in->g_layer1_up, in->s_m_layer1_up, in->s_step, in->s_v_layer1_up,
               out->p_layer1_up, out->s_m_layer1_up, out->s_v_layer1_up},
              {in->p_embedding, in->g_embedding, in->s_m_embedding, in->s_step, in->s_v_embedding,
               out->p_embedding, out->s_m_embedding, out->s_v_embedding},
              {in->p_layer0_down, in->g_layer0_down, in->s_m_layer0_down, in->s_step,
               in->s_v_layer0_down, out->p_layer0_down, out->s_m_layer0_down,
               out->s_v_layer0_down},
              {in->p_layer1_down, in->g_layer1_down, in->s_m_layer1_down, in->s_step,
               in->s_v_layer1_down, out->p_layer1_down, out->s_m_layer1_down,
               out->s_v_layer1_down},
          },
      .p_new_layer0_k =
          {
              {in->p_layer0_k, in->g_layer0_k, in->s_m_layer0_k, in->s_step, in->s_v_layer0_k,
               out->p_layer0_k, out->s_m_layer0_k, out->s_v_layer0_k},
              {in->p_layer0_out, in->g_layer0_out, in->s_m_layer0_out, in->s_step,
               in->s_v_layer0_out, out->p_layer0_out, out->s_m_layer0_out, out->s_v_layer0_out},
              {in->p_layer0_q, in->g_layer0_q, in->s_m_layer0_q, in->s_step, in->s_v_layer0_q,
               out->p_layer0_q, out->s_m_layer0_q, out->s_v_layer0_q},
              {in->p_layer0_v, in->g_layer0_v, in->s_m_layer0_v, in->s_step, in->s_v_layer0_v,
               out->p_layer0_v, out->s_m_layer0_v, out->s_v_layer0_v},
              {in->p_layer1_k, in->g_layer1_k, in->s_m_layer1_k, in->s_step, in->s_v_layer1_k,
               out->p_layer1_k, out->s_m_layer1_k, out->s_v_layer1_k},
              {in->p_layer1_out, in->g_layer1_out, in->s_m_layer1_out, in->s_step,
               in->s_v_layer1_out, out->p_layer1_out, out->s_m_layer1_out, out->s_v_layer1_out},
              {in->p_layer1_q, in->g_layer1_q, in->s_m_layer1_q, in->s_step, in->s_v_layer1_q,
               out->p_layer1_q, out->s_m_layer1_q, out->s_v_layer1_q},
              {in->p_layer1_v, in->g_layer1_v, in->s_m_layer1_v, in->s_step, in->s_v_layer1_v,
               out->p_layer1_v, out->s_m_layer1_v, out->s_v_layer1_v},
              {in->p_position, in->g_position, in->s_m_position, in->s_step, in->s_v_position,
               out->p_position, out->s_m_position, out->s_v_position},
          },
      .p_new_layer0_qkv_bias =
          {
              {in->p_layer0_qkv_bias, in->g_layer0_qkv_bias, in->s_m_layer0_qkv_bias, in->s_step,
               in->s_v_layer0_qkv_bias, out->p_layer0_qkv_bias, out->s_m_layer0_qkv_bias,
               out->s_v_layer0_qkv_bias},
              {in->p_layer1_qkv_bias, in->g_layer1_qkv_bias, in->s_m_layer1_qkv_bias, in->s_step,
               in->s_v_layer1_qkv_bias, out->p_layer1_qkv_bias, out->s_m_layer1_qkv_bias,
               out->s_v_layer1_qkv_bias},
          },
      .p_new_layer0_up_bias =
          {
              {in->p_layer0_up_bias, in->g_layer0_up_bias, in->s_m_layer0_up_bias, in->s_step,
               in->s_v_layer0_up_bias, out->p_layer0_up_bias, out->s_m_layer0_up_bias,
               out->s_v_layer0_up_bias},
              {in->p_layer1_up_bias, in->g_layer1_up_bias, in->s_m_layer1_up_bias, in->s_step,
               in->s_v_layer1_up_bias, out->p_layer1_up_bias, out->s_m_layer1_up_bias,
               out->s_v_layer1_up_bias},
          },
      .p_new_final_norm = {in->p_final_norm, in->g_final_norm, in->s_m_final_norm, in->s_step,
                           in->s_v_final_norm, out->p_final_norm, out->s_m_final_norm,
                           out->s_v_final_norm},
      .p_new_layer0_down_bias =
          {
              {in->p_layer0_down_bias, in->g_layer0_down_bias, in->s_m_layer0_down_bias, in->s_step,
               in->s_v_layer0_down_bias, out->p_layer0_down_bias, out->s_m_layer0_down_bias,
               out->s_v_layer0_down_bias},
              {in->p_layer0_norm1_bias, in->g_layer0_norm1_bias, in->s_m_layer0_norm1_bias,
               in->s_step, in->s_v_layer0_norm1_bias, out->p_layer0_norm1_bias,
               out->s_m_layer0_norm1_bias, out->s_v_layer0_norm1_bias},
              {in->p_layer0_norm1_scale, in->g_layer0_norm1_scale, in->s_m_layer0_norm1_scale,
               in->s_step, in->s_v_layer0_norm1_scale, out->p_layer0_norm1_scale,
               out->s_m_layer0_norm1_scale, out->s_v_layer0_norm1_scale},
              {in->p_layer0_norm2_bias, in->g_layer0_norm2_bias, in->s_m_layer0_norm2_bias,
               in->s_step, in->s_v_layer0_norm2_bias, out->p_layer0_norm2_bias,
               out->s_m_layer0_norm2_bias, out->s_v_layer0_norm2_bias},
              {in->p_layer0_norm2_scale, in->g_layer0_norm2_scale, in->s_m_layer0_norm2_scale,
               in->s_step, in->s_v_layer0_norm2_scale, out->p_layer0_norm2_scale,
               out->s_m_layer0_norm2_scale, out->s_v_layer0_norm2_scale},
              {in->p_layer0_out_bias, in->g_layer0_out_bias, in->s_m_layer0_out_bias, in->s_step,
               in->s_v_layer0_out_bias, out->p_layer0_out_bias, out->s_m_layer0_out_bias,
               out->s_v_layer0_out_bias},
              {in->p_layer1_down_bias, in->g_layer1_down_bias, in->s_m_layer1_down_bias, in->s_step,
               in->s_v_layer1_down_bias, out->p_layer1_down_bias, out->s_m_layer1_down_bias,
               out->s_v_layer1_down_bias},
              {in->p_layer1_norm1_bias, in->g_layer1_norm1_bias, in->s_m_layer1_norm1_bias,
               in->s_step, in->s_v_layer1_norm1_bias, out->p_layer1_norm1_bias,
               out->s_m_layer1_norm1_bias, out->s_v_layer1_norm1_bias},
              {in->p_layer1_norm1_scale, in->g_layer1_norm1_scale, in->s_m_layer1_norm1_scale,
               in->s_step, in->s_v_layer1_norm1_scale, out->p_layer1_norm1_scale,
               out->s_m_layer1_norm1_scale, out->s_v_layer1_norm1_scale},
              {in->p_layer1_norm2_bias, in->g_layer1_norm2_bias, in->s_m_layer1_norm2_bias,
               in->s_step, in->s_v_layer1_norm2_bias, out->p_layer1_norm2_bias,
               out->s_m_layer1_norm2_bias, out->s_v_layer1_norm2_bias},
              {in->p_layer1_norm2_scale, in->g_layer1_norm2_scale, in->s_m_layer1_norm2_scale,
               in->s_step, in->s_v_layer1_norm2_scale, out->p_layer1_norm2_scale,
               out->s_m_layer1_norm2_scale, out->s_v_layer1_norm2_scale},
              {in->p_layer1_out_bias, in->g_layer1_out_bias, in->s_m_layer1_out_bias, in->s_step,
               in->s_v_layer1_out_bias, out->p_layer1_out_bias, out->s_m_layer1_out_bias,
               out->s_v_layer1_out_bias},
          },
      .s_new_step = {in->s_step, out->s_step},
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
