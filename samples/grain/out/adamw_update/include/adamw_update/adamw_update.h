// adamw_update.h: the C interface of adamw_update, for C and C++; needs no CUDA header.
//
//   in   p_embedding             f32[64,16]
//   in   p_final_norm            f32[16]
//   in   p_layer0_down           f32[64,16]
//   in   p_layer0_down_bias      f32[16]
//   in   p_layer0_k              f32[16,16]
//   in   p_layer0_norm1_bias     f32[16]
//   in   p_layer0_norm1_scale    f32[16]
//   in   p_layer0_norm2_bias     f32[16]
//   in   p_layer0_norm2_scale    f32[16]
//   in   p_layer0_out            f32[16,16]
//   in   p_layer0_out_bias       f32[16]
//   in   p_layer0_q              f32[16,16]
//   in   p_layer0_qkv_bias       f32[3,16]
//   in   p_layer0_up             f32[16,64]
//   in   p_layer0_up_bias        f32[64]
//   in   p_layer0_v              f32[16,16]
//   in   p_layer1_down           f32[64,16]
//   in   p_layer1_down_bias      f32[16]
//   in   p_layer1_k              f32[16,16]
//   in   p_layer1_norm1_bias     f32[16]
//   in   p_layer1_norm1_scale    f32[16]
//   in   p_layer1_norm2_bias     f32[16]
//   in   p_layer1_norm2_scale    f32[16]
//   in   p_layer1_out            f32[16,16]
//   in   p_layer1_out_bias       f32[16]
//   in   p_layer1_q              f32[16,16]
//   in   p_layer1_qkv_bias       f32[3,16]
//   in   p_layer1_up             f32[16,64]
//   in   p_layer1_up_bias        f32[64]
//   in   p_layer1_v              f32[16,16]
//   in   p_position              f32[16,16]
//   in   g_embedding             f32[64,16]
//   in   g_final_norm            f32[16]
//   in   g_layer0_down           f32[64,16]
//   in   g_layer0_down_bias      f32[16]
//   in   g_layer0_k              f32[16,16]
//   in   g_layer0_norm1_bias     f32[16]
//   in   g_layer0_norm1_scale    f32[16]
//   in   g_layer0_norm2_bias     f32[16]
//   in   g_layer0_norm2_scale    f32[16]
//   in   g_layer0_out            f32[16,16]
//   in   g_layer0_out_bias       f32[16]
//   in   g_layer0_q              f32[16,16]
//   in   g_layer0_qkv_bias       f32[3,16]
//   in   g_layer0_up             f32[16,64]
//   in   g_layer0_up_bias        f32[64]
//   in   g_layer0_v              f32[16,16]
//   in   g_layer1_down           f32[64,16]
//   in   g_layer1_down_bias      f32[16]
//   in   g_layer1_k              f32[16,16]
//   in   g_layer1_norm1_bias     f32[16]
//   in   g_layer1_norm1_scale    f32[16]
//   in   g_layer1_norm2_bias     f32[16]
//   in   g_layer1_norm2_scale    f32[16]
//   in   g_layer1_out            f32[16,16]
//   in   g_layer1_out_bias       f32[16]
//   in   g_layer1_q              f32[16,16]
//   in   g_layer1_qkv_bias       f32[3,16]
//   in   g_layer1_up             f32[16,64]
//   in   g_layer1_up_bias        f32[64]
//   in   g_layer1_v              f32[16,16]
//   in   g_position              f32[16,16]
//   in   s_m_embedding           f32[64,16]
//   in   s_m_final_norm          f32[16]
//   in   s_m_layer0_down         f32[64,16]
//   in   s_m_layer0_down_bias    f32[16]
//   in   s_m_layer0_k            f32[16,16]
//   in   s_m_layer0_norm1_bias   f32[16]
//   in   s_m_layer0_norm1_scale  f32[16]
//   in   s_m_layer0_norm2_bias   f32[16]
//   in   s_m_layer0_norm2_scale  f32[16]
//   in   s_m_layer0_out          f32[16,16]
//   in   s_m_layer0_out_bias     f32[16]
//   in   s_m_layer0_q            f32[16,16]
//   in   s_m_layer0_qkv_bias     f32[3,16]
//   in   s_m_layer0_up           f32[16,64]
//   in   s_m_layer0_up_bias      f32[64]
//   in   s_m_layer0_v            f32[16,16]
//   in   s_m_layer1_down         f32[64,16]
//   in   s_m_layer1_down_bias    f32[16]
//   in   s_m_layer1_k            f32[16,16]
//   in   s_m_layer1_norm1_bias   f32[16]
//   in   s_m_layer1_norm1_scale  f32[16]
//   in   s_m_layer1_norm2_bias   f32[16]
//   in   s_m_layer1_norm2_scale  f32[16]
//   in   s_m_layer1_out          f32[16,16]
//   in   s_m_layer1_out_bias     f32[16]
//   in   s_m_layer1_q            f32[16,16]
//   in   s_m_layer1_qkv_bias     f32[3,16]
//   in   s_m_layer1_up           f32[16,64]
//   in   s_m_layer1_up_bias      f32[64]
//   in   s_m_layer1_v            f32[16,16]
//   in   s_m_position            f32[16,16]
//   in   s_step                  s32[]
//   in   s_v_embedding           f32[64,16]
//   in   s_v_final_norm          f32[16]
//   in   s_v_layer0_down         f32[64,16]
//   in   s_v_layer0_down_bias    f32[16]
//   in   s_v_layer0_k            f32[16,16]
//   in   s_v_layer0_norm1_bias   f32[16]
//   in   s_v_layer0_norm1_scale  f32[16]
//   in   s_v_layer0_norm2_bias   f32[16]
//   in   s_v_layer0_norm2_scale  f32[16]
//   in   s_v_layer0_out          f32[16,16]
//   in   s_v_layer0_out_bias     f32[16]
//   in   s_v_layer0_q            f32[16,16]
//   in   s_v_layer0_qkv_bias     f32[3,16]
//   in   s_v_layer0_up           f32[16,64]
//   in   s_v_layer0_up_bias      f32[64]
//   in   s_v_layer0_v            f32[16,16]
//   in   s_v_layer1_down         f32[64,16]
//   in   s_v_layer1_down_bias    f32[16]
//   in   s_v_layer1_k            f32[16,16]
//   in   s_v_layer1_norm1_bias   f32[16]
//   in   s_v_layer1_norm1_scale  f32[16]
//   in   s_v_layer1_norm2_bias   f32[16]
//   in   s_v_layer1_norm2_scale  f32[16]
//   in   s_v_layer1_out          f32[16,16]
//   in   s_v_layer1_out_bias     f32[16]
//   in   s_v_layer1_q            f32[16,16]
//   in   s_v_layer1_qkv_bias     f32[3,16]
//   in   s_v_layer1_up           f32[16,64]
//   in   s_v_layer1_up_bias      f32[64]
//   in   s_v_layer1_v            f32[16,16]
//   in   s_v_position            f32[16,16]
//   out  p_embedding             f32[64,16]
//   out  p_final_norm            f32[16]
//   out  p_layer0_down           f32[64,16]
//   out  p_layer0_down_bias      f32[16]
//   out  p_layer0_k              f32[16,16]
//   out  p_layer0_norm1_bias     f32[16]
//   out  p_layer0_norm1_scale    f32[16]
//   out  p_layer0_norm2_bias     f32[16]
//   out  p_layer0_norm2_scale    f32[16]
//   out  p_layer0_out            f32[16,16]
//   out  p_layer0_out_bias       f32[16]
//   out  p_layer0_q              f32[16,16]
//   out  p_layer0_qkv_bias       f32[3,16]
//   out  p_layer0_up             f32[16,64]
//   out  p_layer0_up_bias        f32[64]
//   out  p_layer0_v              f32[16,16]
//   out  p_layer1_down           f32[64,16]
//   out  p_layer1_down_bias      f32[16]
//   out  p_layer1_k              f32[16,16]
//   out  p_layer1_norm1_bias     f32[16]
//   out  p_layer1_norm1_scale    f32[16]
//   out  p_layer1_norm2_bias     f32[16]
//   out  p_layer1_norm2_scale    f32[16]
//   out  p_layer1_out            f32[16,16]
//   out  p_layer1_out_bias       f32[16]
//   out  p_layer1_q              f32[16,16]
//   out  p_layer1_qkv_bias       f32[3,16]
//   out  p_layer1_up             f32[16,64]
//   out  p_layer1_up_bias        f32[64]
//   out  p_layer1_v              f32[16,16]
//   out  p_position              f32[16,16]
//   out  s_m_embedding           f32[64,16]
//   out  s_m_final_norm          f32[16]
//   out  s_m_layer0_down         f32[64,16]
//   out  s_m_layer0_down_bias    f32[16]
//   out  s_m_layer0_k            f32[16,16]
//   out  s_m_layer0_norm1_bias   f32[16]
//   out  s_m_layer0_norm1_scale  f32[16]
//   out  s_m_layer0_norm2_bias   f32[16]
//   out  s_m_layer0_norm2_scale  f32[16]
//   out  s_m_layer0_out          f32[16,16]
//   out  s_m_layer0_out_bias     f32[16]
//   out  s_m_layer0_q            f32[16,16]
//   out  s_m_layer0_qkv_bias     f32[3,16]
//   out  s_m_layer0_up           f32[16,64]
//   out  s_m_layer0_up_bias      f32[64]
//   out  s_m_layer0_v            f32[16,16]
//   out  s_m_layer1_down         f32[64,16]
//   out  s_m_layer1_down_bias    f32[16]
//   out  s_m_layer1_k            f32[16,16]
//   out  s_m_layer1_norm1_bias   f32[16]
//   out  s_m_layer1_norm1_scale  f32[16]
//   out  s_m_layer1_norm2_bias   f32[16]
//   out  s_m_layer1_norm2_scale  f32[16]
//   out  s_m_layer1_out          f32[16,16]
//   out  s_m_layer1_out_bias     f32[16]
//   out  s_m_layer1_q            f32[16,16]
//   out  s_m_layer1_qkv_bias     f32[3,16]
//   out  s_m_layer1_up           f32[16,64]
//   out  s_m_layer1_up_bias      f32[64]
//   out  s_m_layer1_v            f32[16,16]
//   out  s_m_position            f32[16,16]
//   out  s_step                  s32[]
//   out  s_v_embedding           f32[64,16]
//   out  s_v_final_norm          f32[16]
//   out  s_v_layer0_down         f32[64,16]
//   out  s_v_layer0_down_bias    f32[16]
//   out  s_v_layer0_k            f32[16,16]
//   out  s_v_layer0_norm1_bias   f32[16]
//   out  s_v_layer0_norm1_scale  f32[16]
//   out  s_v_layer0_norm2_bias   f32[16]
//   out  s_v_layer0_norm2_scale  f32[16]
//   out  s_v_layer0_out          f32[16,16]
//   out  s_v_layer0_out_bias     f32[16]
//   out  s_v_layer0_q            f32[16,16]
//   out  s_v_layer0_qkv_bias     f32[3,16]
//   out  s_v_layer0_up           f32[16,64]
//   out  s_v_layer0_up_bias      f32[64]
//   out  s_v_layer0_v            f32[16,16]
//   out  s_v_layer1_down         f32[64,16]
//   out  s_v_layer1_down_bias    f32[16]
//   out  s_v_layer1_k            f32[16,16]
//   out  s_v_layer1_norm1_bias   f32[16]
//   out  s_v_layer1_norm1_scale  f32[16]
//   out  s_v_layer1_norm2_bias   f32[16]
//   out  s_v_layer1_norm2_scale  f32[16]
//   out  s_v_layer1_out          f32[16,16]
//   out  s_v_layer1_out_bias     f32[16]
//   out  s_v_layer1_q            f32[16,16]
//   out  s_v_layer1_qkv_bias     f32[3,16]
//   out  s_v_layer1_up           f32[16,64]
//   out  s_v_layer1_up_bias      f32[64]
//   out  s_v_layer1_v            f32[16,16]
//   out  s_v_position            f32[16,16]
//
//   AdamwUpdateInstance* instance;
//   if (adamw_update_create(&instance) != kAdamwUpdateOk) {
//     puts(adamw_update_last_error());
//   }
//   adamw_update_run(instance, &in, &out, stream);  // as often as needed
//   adamw_update_destroy(instance);
//
// An instance belongs to one device: adamw_update_run refuses to run while another one is current,
// adamw_update_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in adamw_update_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define ADAMW_UPDATE_INTERFACE 0xdcecc3be5ad51377ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef ADAMW_UPDATE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum AdamwUpdateStatus {
  kAdamwUpdateOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kAdamwUpdateInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kAdamwUpdateOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kAdamwUpdateCudaError = 3,
  // The caller was compiled with a header of another interface.
  kAdamwUpdateOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kAdamwUpdateOtherDevice = 5,
  // There is no graph of a run: kAdamwUpdateCanCapture is 0.
  kAdamwUpdateCannotCapture = 7,
} AdamwUpdateStatus;

enum {
  kAdamwUpdateInputCount = 125,
  kAdamwUpdateOutputCount = 94,
  // 1 if adamw_update_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kAdamwUpdateRunSynchronises = 0,
  // 1 if adamw_update_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kAdamwUpdateCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kAdamwUpdateInPEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateInPFinalNorm[] = {16};
static const int64_t kAdamwUpdateInPLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateInPLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateInPLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateInPLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInPLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInPLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInPLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInPLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateInPLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateInPLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateInPLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInPLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateInPLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateInPLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateInPLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateInPLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateInPLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateInPLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInPLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInPLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInPLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInPLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateInPLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateInPLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateInPLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInPLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateInPLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateInPLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateInPPosition[] = {16, 16};
static const int64_t kAdamwUpdateInGEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateInGFinalNorm[] = {16};
static const int64_t kAdamwUpdateInGLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateInGLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateInGLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateInGLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInGLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInGLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInGLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInGLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateInGLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateInGLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateInGLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInGLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateInGLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateInGLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateInGLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateInGLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateInGLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateInGLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInGLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInGLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInGLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInGLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateInGLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateInGLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateInGLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInGLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateInGLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateInGLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateInGPosition[] = {16, 16};
static const int64_t kAdamwUpdateInSMEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateInSMFinalNorm[] = {16};
static const int64_t kAdamwUpdateInSMLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateInSMLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateInSMLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateInSMLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInSMLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInSMLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInSMLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInSMLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateInSMLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateInSMLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateInSMLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInSMLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateInSMLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateInSMLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateInSMLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateInSMLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateInSMLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateInSMLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInSMLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInSMLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInSMLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInSMLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateInSMLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateInSMLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateInSMLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInSMLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateInSMLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateInSMLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateInSMPosition[] = {16, 16};
static const int64_t kAdamwUpdateInSVEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateInSVFinalNorm[] = {16};
static const int64_t kAdamwUpdateInSVLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateInSVLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateInSVLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateInSVLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInSVLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInSVLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInSVLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInSVLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateInSVLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateInSVLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateInSVLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInSVLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateInSVLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateInSVLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateInSVLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateInSVLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateInSVLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateInSVLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInSVLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInSVLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInSVLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInSVLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateInSVLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateInSVLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateInSVLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInSVLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateInSVLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateInSVLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateInSVPosition[] = {16, 16};
static const int64_t kAdamwUpdateOutPEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateOutPFinalNorm[] = {16};
static const int64_t kAdamwUpdateOutPLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateOutPLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateOutPLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateOutPLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutPLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutPLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutPLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutPLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateOutPLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateOutPLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateOutPLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutPLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateOutPLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateOutPLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateOutPLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateOutPLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateOutPLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateOutPLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutPLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutPLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutPLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutPLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateOutPLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateOutPLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateOutPLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutPLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateOutPLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateOutPLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateOutPPosition[] = {16, 16};
static const int64_t kAdamwUpdateOutSMEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateOutSMFinalNorm[] = {16};
static const int64_t kAdamwUpdateOutSMLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateOutSMLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateOutSMLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateOutSMLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutSMLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutSMLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutSMLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutSMLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateOutSMLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateOutSMLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateOutSMLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutSMLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateOutSMLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateOutSMLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateOutSMLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateOutSMLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateOutSMLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateOutSMLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutSMLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutSMLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutSMLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutSMLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateOutSMLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateOutSMLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateOutSMLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutSMLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateOutSMLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateOutSMLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateOutSMPosition[] = {16, 16};
static const int64_t kAdamwUpdateOutSVEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateOutSVFinalNorm[] = {16};
static const int64_t kAdamwUpdateOutSVLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateOutSVLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateOutSVLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateOutSVLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutSVLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutSVLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutSVLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutSVLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateOutSVLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateOutSVLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateOutSVLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutSVLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateOutSVLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateOutSVLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateOutSVLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateOutSVLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateOutSVLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateOutSVLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutSVLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutSVLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutSVLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutSVLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateOutSVLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateOutSVLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateOutSVLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutSVLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateOutSVLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateOutSVLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateOutSVPosition[] = {16, 16};

// One input or output.
typedef struct AdamwUpdateTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} AdamwUpdateTensor;

// In the order of the structs below; the row after the last has no name.
extern const AdamwUpdateTensor kAdamwUpdateInputTable[];
extern const AdamwUpdateTensor kAdamwUpdateOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct AdamwUpdateInputs {
  const float* p_embedding;             // f32[64,16]
  const float* p_final_norm;            // f32[16]
  const float* p_layer0_down;           // f32[64,16]
  const float* p_layer0_down_bias;      // f32[16]
  const float* p_layer0_k;              // f32[16,16]
  const float* p_layer0_norm1_bias;     // f32[16]
  const float* p_layer0_norm1_scale;    // f32[16]
  const float* p_layer0_norm2_bias;     // f32[16]
  const float* p_layer0_norm2_scale;    // f32[16]
  const float* p_layer0_out;            // f32[16,16]
  const float* p_layer0_out_bias;       // f32[16]
  const float* p_layer0_q;              // f32[16,16]
  const float* p_layer0_qkv_bias;       // f32[3,16]
  const float* p_layer0_up;             // f32[16,64]
  const float* p_layer0_up_bias;        // f32[64]
  const float* p_layer0_v;              // f32[16,16]
  const float* p_layer1_down;           // f32[64,16]
  const float* p_layer1_down_bias;      // f32[16]
  const float* p_layer1_k;              // f32[16,16]
  const float* p_layer1_norm1_bias;     // f32[16]
  const float* p_layer1_norm1_scale;    // f32[16]
  const float* p_layer1_norm2_bias;     // f32[16]
  const float* p_layer1_norm2_scale;    // f32[16]
  const float* p_layer1_out;            // f32[16,16]
  const float* p_layer1_out_bias;       // f32[16]
  const float* p_layer1_q;              // f32[16,16]
  const float* p_layer1_qkv_bias;       // f32[3,16]
  const float* p_layer1_up;             // f32[16,64]
  const float* p_layer1_up_bias;        // f32[64]
  const float* p_layer1_v;              // f32[16,16]
  const float* p_position;              // f32[16,16]
  const float* g_embedding;             // f32[64,16]
  const float* g_final_norm;            // f32[16]
  const float* g_layer0_down;           // f32[64,16]
  const float* g_layer0_down_bias;      // f32[16]
  const float* g_layer0_k;              // f32[16,16]
  const float* g_layer0_norm1_bias;     // f32[16]
  const float* g_layer0_norm1_scale;    // f32[16]
  const float* g_layer0_norm2_bias;     // f32[16]
  const float* g_layer0_norm2_scale;    // f32[16]
  const float* g_layer0_out;            // f32[16,16]
  const float* g_layer0_out_bias;       // f32[16]
  const float* g_layer0_q;              // f32[16,16]
  const float* g_layer0_qkv_bias;       // f32[3,16]
  const float* g_layer0_up;             // f32[16,64]
  const float* g_layer0_up_bias;        // f32[64]
  const float* g_layer0_v;              // f32[16,16]
  const float* g_layer1_down;           // f32[64,16]
  const float* g_layer1_down_bias;      // f32[16]
  const float* g_layer1_k;              // f32[16,16]
  const float* g_layer1_norm1_bias;     // f32[16]
  const float* g_layer1_norm1_scale;    // f32[16]
  const float* g_layer1_norm2_bias;     // f32[16]
  const float* g_layer1_norm2_scale;    // f32[16]
  const float* g_layer1_out;            // f32[16,16]
  const float* g_layer1_out_bias;       // f32[16]
  const float* g_layer1_q;              // f32[16,16]
  const float* g_layer1_qkv_bias;       // f32[3,16]
  const float* g_layer1_up;             // f32[16,64]
  const float* g_layer1_up_bias;        // f32[64]
  const float* g_layer1_v;              // f32[16,16]
  const float* g_position;              // f32[16,16]
  const float* s_m_embedding;           // f32[64,16]
  const float* s_m_final_norm;          // f32[16]
  const float* s_m_layer0_down;         // f32[64,16]
  const float* s_m_layer0_down_bias;    // f32[16]
  const float* s_m_layer0_k;            // f32[16,16]
  const float* s_m_layer0_norm1_bias;   // f32[16]
  const float* s_m_layer0_norm1_scale;  // f32[16]
  const float* s_m_layer0_norm2_bias;   // f32[16]
  const float* s_m_layer0_norm2_scale;  // f32[16]
  const float* s_m_layer0_out;          // f32[16,16]
  const float* s_m_layer0_out_bias;     // f32[16]
  const float* s_m_layer0_q;            // f32[16,16]
  const float* s_m_layer0_qkv_bias;     // f32[3,16]
  const float* s_m_layer0_up;           // f32[16,64]
  const float* s_m_layer0_up_bias;      // f32[64]
  const float* s_m_layer0_v;            // f32[16,16]
  const float* s_m_layer1_down;         // f32[64,16]
  const float* s_m_layer1_down_bias;    // f32[16]
  const float* s_m_layer1_k;            // f32[16,16]
  const float* s_m_layer1_norm1_bias;   // f32[16]
  const float* s_m_layer1_norm1_scale;  // f32[16]
  const float* s_m_layer1_norm2_bias;   // f32[16]
  const float* s_m_layer1_norm2_scale;  // f32[16]
  const float* s_m_layer1_out;          // f32[16,16]
  const float* s_m_layer1_out_bias;     // f32[16]
  const float* s_m_layer1_q;            // f32[16,16]
  const float* s_m_layer1_qkv_bias;     // f32[3,16]
  const float* s_m_layer1_up;           // f32[16,64]
  const float* s_m_layer1_up_bias;      // f32[64]
  const float* s_m_layer1_v;            // f32[16,16]
  const float* s_m_position;            // f32[16,16]
  const int* s_step;                    // s32[]
  const float* s_v_embedding;           // f32[64,16]
  const float* s_v_final_norm;          // f32[16]
  const float* s_v_layer0_down;         // f32[64,16]
  const float* s_v_layer0_down_bias;    // f32[16]
  const float* s_v_layer0_k;            // f32[16,16]
  const float* s_v_layer0_norm1_bias;   // f32[16]
  const float* s_v_layer0_norm1_scale;  // f32[16]
  const float* s_v_layer0_norm2_bias;   // f32[16]
  const float* s_v_layer0_norm2_scale;  // f32[16]
  const float* s_v_layer0_out;          // f32[16,16]
  const float* s_v_layer0_out_bias;     // f32[16]
  const float* s_v_layer0_q;            // f32[16,16]
  const float* s_v_layer0_qkv_bias;     // f32[3,16]
  const float* s_v_layer0_up;           // f32[16,64]
  const float* s_v_layer0_up_bias;      // f32[64]
  const float* s_v_layer0_v;            // f32[16,16]
  const float* s_v_layer1_down;         // f32[64,16]
  const float* s_v_layer1_down_bias;    // f32[16]
  const float* s_v_layer1_k;            // f32[16,16]
  const float* s_v_layer1_norm1_bias;   // f32[16]
  const float* s_v_layer1_norm1_scale;  // f32[16]
  const float* s_v_layer1_norm2_bias;   // f32[16]
  const float* s_v_layer1_norm2_scale;  // f32[16]
  const float* s_v_layer1_out;          // f32[16,16]
  const float* s_v_layer1_out_bias;     // f32[16]
  const float* s_v_layer1_q;            // f32[16,16]
  const float* s_v_layer1_qkv_bias;     // f32[3,16]
  const float* s_v_layer1_up;           // f32[16,64]
  const float* s_v_layer1_up_bias;      // f32[64]
  const float* s_v_layer1_v;            // f32[16,16]
  const float* s_v_position;            // f32[16,16]
} AdamwUpdateInputs;

typedef struct AdamwUpdateOutputs {
  float* p_embedding;             // f32[64,16]
  float* p_final_norm;            // f32[16]
  float* p_layer0_down;           // f32[64,16]
  float* p_layer0_down_bias;      // f32[16]
  float* p_layer0_k;              // f32[16,16]
  float* p_layer0_norm1_bias;     // f32[16]
  float* p_layer0_norm1_scale;    // f32[16]
  float* p_layer0_norm2_bias;     // f32[16]
  float* p_layer0_norm2_scale;    // f32[16]
  float* p_layer0_out;            // f32[16,16]
  float* p_layer0_out_bias;       // f32[16]
  float* p_layer0_q;              // f32[16,16]
  float* p_layer0_qkv_bias;       // f32[3,16]
  float* p_layer0_up;             // f32[16,64]
  float* p_layer0_up_bias;        // f32[64]
  float* p_layer0_v;              // f32[16,16]
  float* p_layer1_down;           // f32[64,16]
  float* p_layer1_down_bias;      // f32[16]
  float* p_layer1_k;              // f32[16,16]
  float* p_layer1_norm1_bias;     // f32[16]
  float* p_layer1_norm1_scale;    // f32[16]
  float* p_layer1_norm2_bias;     // f32[16]
  float* p_layer1_norm2_scale;    // f32[16]
  float* p_layer1_out;            // f32[16,16]
  float* p_layer1_out_bias;       // f32[16]
  float* p_layer1_q;              // f32[16,16]
  float* p_layer1_qkv_bias;       // f32[3,16]
  float* p_layer1_up;             // f32[16,64]
  float* p_layer1_up_bias;        // f32[64]
  float* p_layer1_v;              // f32[16,16]
  float* p_position;              // f32[16,16]
  float* s_m_embedding;           // f32[64,16]
  float* s_m_final_norm;          // f32[16]
  float* s_m_layer0_down;         // f32[64,16]
  float* s_m_layer0_down_bias;    // f32[16]
  float* s_m_layer0_k;            // f32[16,16]
  float* s_m_layer0_norm1_bias;   // f32[16]
  float* s_m_layer0_norm1_scale;  // f32[16]
  float* s_m_layer0_norm2_bias;   // f32[16]
  float* s_m_layer0_norm2_scale;  // f32[16]
  float* s_m_layer0_out;          // f32[16,16]
  float* s_m_layer0_out_bias;     // f32[16]
  float* s_m_layer0_q;            // f32[16,16]
  float* s_m_layer0_qkv_bias;     // f32[3,16]
  float* s_m_layer0_up;           // f32[16,64]
  float* s_m_layer0_up_bias;      // f32[64]
  float* s_m_layer0_v;            // f32[16,16]
  float* s_m_layer1_down;         // f32[64,16]
  float* s_m_layer1_down_bias;    // f32[16]
  float* s_m_layer1_k;            // f32[16,16]
  float* s_m_layer1_norm1_bias;   // f32[16]
  float* s_m_layer1_norm1_scale;  // f32[16]
  float* s_m_layer1_norm2_bias;   // f32[16]
  float* s_m_layer1_norm2_scale;  // f32[16]
  float* s_m_layer1_out;          // f32[16,16]
  float* s_m_layer1_out_bias;     // f32[16]
  float* s_m_layer1_q;            // f32[16,16]
  float* s_m_layer1_qkv_bias;     // f32[3,16]
  float* s_m_layer1_up;           // f32[16,64]
  float* s_m_layer1_up_bias;      // f32[64]
  float* s_m_layer1_v;            // f32[16,16]
  float* s_m_position;            // f32[16,16]
  int* s_step;                    // s32[]
  float* s_v_embedding;           // f32[64,16]
  float* s_v_final_norm;          // f32[16]
  float* s_v_layer0_down;         // f32[64,16]
  float* s_v_layer0_down_bias;    // f32[16]
  float* s_v_layer0_k;            // f32[16,16]
  float* s_v_layer0_norm1_bias;   // f32[16]
  float* s_v_layer0_norm1_scale;  // f32[16]
  float* s_v_layer0_norm2_bias;   // f32[16]
  float* s_v_layer0_norm2_scale;  // f32[16]
  float* s_v_layer0_out;          // f32[16,16]
  float* s_v_layer0_out_bias;     // f32[16]
  float* s_v_layer0_q;            // f32[16,16]
  float* s_v_layer0_qkv_bias;     // f32[3,16]
  float* s_v_layer0_up;           // f32[16,64]
  float* s_v_layer0_up_bias;      // f32[64]
  float* s_v_layer0_v;            // f32[16,16]
  float* s_v_layer1_down;         // f32[64,16]
  float* s_v_layer1_down_bias;    // f32[16]
  float* s_v_layer1_k;            // f32[16,16]
  float* s_v_layer1_norm1_bias;   // f32[16]
  float* s_v_layer1_norm1_scale;  // f32[16]
  float* s_v_layer1_norm2_bias;   // f32[16]
  float* s_v_layer1_norm2_scale;  // f32[16]
  float* s_v_layer1_out;          // f32[16,16]
  float* s_v_layer1_out_bias;     // f32[16]
  float* s_v_layer1_q;            // f32[16,16]
  float* s_v_layer1_qkv_bias;     // f32[3,16]
  float* s_v_layer1_up;           // f32[16,64]
  float* s_v_layer1_up_bias;      // f32[64]
  float* s_v_layer1_v;            // f32[16,16]
  float* s_v_position;            // f32[16,16]
} AdamwUpdateOutputs;

typedef struct AdamwUpdateInstance AdamwUpdateInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct AdamwUpdateOptions {
  uint32_t size;            // sizeof(AdamwUpdateOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // ADAMW_UPDATE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // adamw_update_workspace_bytes(). NULL: adamw_update_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by adamw_update_destroy, or by adamw_update_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} AdamwUpdateOptions;

#define ADAMW_UPDATE_OPTIONS \
  {sizeof(AdamwUpdateOptions), -1, ADAMW_UPDATE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: ADAMW_UPDATE_OPTIONS, as the library has them.
AdamwUpdateStatus adamw_update_create_with(AdamwUpdateInstance** instance,
                                           const AdamwUpdateOptions* options);

// The same with ADAMW_UPDATE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline AdamwUpdateStatus adamw_update_create(AdamwUpdateInstance** instance) {
  const AdamwUpdateOptions options = ADAMW_UPDATE_OPTIONS;
  return adamw_update_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t adamw_update_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output, but for these pairs, which may be given one pointer:
//   p_embedding, p_embedding
//   p_final_norm, p_final_norm
//   p_layer0_down, p_layer0_down
//   p_layer0_down_bias, p_layer0_down_bias
//   p_layer0_k, p_layer0_k
//   p_layer0_norm1_bias, p_layer0_norm1_bias
//   p_layer0_norm1_scale, p_layer0_norm1_scale
//   p_layer0_norm2_bias, p_layer0_norm2_bias
//   p_layer0_norm2_scale, p_layer0_norm2_scale
//   p_layer0_out, p_layer0_out
//   p_layer0_out_bias, p_layer0_out_bias
//   p_layer0_q, p_layer0_q
//   p_layer0_qkv_bias, p_layer0_qkv_bias
//   p_layer0_up, p_layer0_up
//   p_layer0_up_bias, p_layer0_up_bias
//   p_layer0_v, p_layer0_v
//   p_layer1_down, p_layer1_down
//   p_layer1_down_bias, p_layer1_down_bias
//   p_layer1_k, p_layer1_k
//   p_layer1_norm1_bias, p_layer1_norm1_bias
//   p_layer1_norm1_scale, p_layer1_norm1_scale
//   p_layer1_norm2_bias, p_layer1_norm2_bias
//   p_layer1_norm2_scale, p_layer1_norm2_scale
//   p_layer1_out, p_layer1_out
//   p_layer1_out_bias, p_layer1_out_bias
//   p_layer1_q, p_layer1_q
//   p_layer1_qkv_bias, p_layer1_qkv_bias
//   p_layer1_up, p_layer1_up
//   p_layer1_up_bias, p_layer1_up_bias
//   p_layer1_v, p_layer1_v
//   p_position, p_position
//   s_m_embedding, s_m_embedding
//   s_m_final_norm, s_m_final_norm
//   s_m_layer0_down, s_m_layer0_down
//   s_m_layer0_down_bias, s_m_layer0_down_bias
//   s_m_layer0_k, s_m_layer0_k
//   s_m_layer0_norm1_bias, s_m_layer0_norm1_bias
//   s_m_layer0_norm1_scale, s_m_layer0_norm1_scale
//   s_m_layer0_norm2_bias, s_m_layer0_norm2_bias
//   s_m_layer0_norm2_scale, s_m_layer0_norm2_scale
//   s_m_layer0_out, s_m_layer0_out
//   s_m_layer0_out_bias, s_m_layer0_out_bias
//   s_m_layer0_q, s_m_layer0_q
//   s_m_layer0_qkv_bias, s_m_layer0_qkv_bias
//   s_m_layer0_up, s_m_layer0_up
//   s_m_layer0_up_bias, s_m_layer0_up_bias
//   s_m_layer0_v, s_m_layer0_v
//   s_m_layer1_down, s_m_layer1_down
//   s_m_layer1_down_bias, s_m_layer1_down_bias
//   s_m_layer1_k, s_m_layer1_k
//   s_m_layer1_norm1_bias, s_m_layer1_norm1_bias
//   s_m_layer1_norm1_scale, s_m_layer1_norm1_scale
//   s_m_layer1_norm2_bias, s_m_layer1_norm2_bias
//   s_m_layer1_norm2_scale, s_m_layer1_norm2_scale
//   s_m_layer1_out, s_m_layer1_out
//   s_m_layer1_out_bias, s_m_layer1_out_bias
//   s_m_layer1_q, s_m_layer1_q
//   s_m_layer1_qkv_bias, s_m_layer1_qkv_bias
//   s_m_layer1_up, s_m_layer1_up
//   s_m_layer1_up_bias, s_m_layer1_up_bias
//   s_m_layer1_v, s_m_layer1_v
//   s_m_position, s_m_position
//   s_step, s_step
//   s_v_embedding, s_v_embedding
//   s_v_final_norm, s_v_final_norm
//   s_v_layer0_down, s_v_layer0_down
//   s_v_layer0_down_bias, s_v_layer0_down_bias
//   s_v_layer0_k, s_v_layer0_k
//   s_v_layer0_norm1_bias, s_v_layer0_norm1_bias
//   s_v_layer0_norm1_scale, s_v_layer0_norm1_scale
//   s_v_layer0_norm2_bias, s_v_layer0_norm2_bias
//   s_v_layer0_norm2_scale, s_v_layer0_norm2_scale
//   s_v_layer0_out, s_v_layer0_out
//   s_v_layer0_out_bias, s_v_layer0_out_bias
//   s_v_layer0_q, s_v_layer0_q
//   s_v_layer0_qkv_bias, s_v_layer0_qkv_bias
//   s_v_layer0_up, s_v_layer0_up
//   s_v_layer0_up_bias, s_v_layer0_up_bias
//   s_v_layer0_v, s_v_layer0_v
//   s_v_layer1_down, s_v_layer1_down
//   s_v_layer1_down_bias, s_v_layer1_down_bias
//   s_v_layer1_k, s_v_layer1_k
//   s_v_layer1_norm1_bias, s_v_layer1_norm1_bias
//   s_v_layer1_norm1_scale, s_v_layer1_norm1_scale
//   s_v_layer1_norm2_bias, s_v_layer1_norm2_bias
//   s_v_layer1_norm2_scale, s_v_layer1_norm2_scale
//   s_v_layer1_out, s_v_layer1_out
//   s_v_layer1_out_bias, s_v_layer1_out_bias
//   s_v_layer1_q, s_v_layer1_q
//   s_v_layer1_qkv_bias, s_v_layer1_qkv_bias
//   s_v_layer1_up, s_v_layer1_up
//   s_v_layer1_up_bias, s_v_layer1_up_bias
//   s_v_layer1_v, s_v_layer1_v
//   s_v_position, s_v_position
AdamwUpdateStatus adamw_update_run(AdamwUpdateInstance* instance, const AdamwUpdateInputs* in,
                                   const AdamwUpdateOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct AdamwUpdateGraph AdamwUpdateGraph;
AdamwUpdateStatus adamw_update_capture(AdamwUpdateGraph** graph, AdamwUpdateInstance* instance,
                                       const AdamwUpdateInputs* in, const AdamwUpdateOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
AdamwUpdateStatus adamw_update_graph_launch(const AdamwUpdateGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
AdamwUpdateStatus adamw_update_graph_update(AdamwUpdateGraph* graph, const AdamwUpdateInputs* in,
                                            const AdamwUpdateOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* adamw_update_graph_exec(const AdamwUpdateGraph* graph);

// Its launches must be finished. NULL is allowed.
void adamw_update_graph_destroy(AdamwUpdateGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void adamw_update_destroy(AdamwUpdateInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* adamw_update_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* adamw_update_status_text(AdamwUpdateStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct AdamwUpdateInfo {
  uint32_t size;              // sizeof(AdamwUpdateInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // ADAMW_UPDATE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as adamw_update_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kAdamwUpdateCanCapture
} AdamwUpdateInfo;

const AdamwUpdateInfo* adamw_update_info(void);

#ifdef ADAMW_UPDATE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
