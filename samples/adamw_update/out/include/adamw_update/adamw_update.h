// adamw_update.h: the C interface of adamw_update, for C and C++; needs no CUDA header.
//
//   in   params_embedding            f32[64,16]
//   in   params_final_norm           f32[16]
//   in   params_layer0_down          f32[64,16]
//   in   params_layer0_down_bias     f32[16]
//   in   params_layer0_k             f32[16,16]
//   in   params_layer0_norm1_bias    f32[16]
//   in   params_layer0_norm1_scale   f32[16]
//   in   params_layer0_norm2_bias    f32[16]
//   in   params_layer0_norm2_scale   f32[16]
//   in   params_layer0_out           f32[16,16]
//   in   params_layer0_out_bias      f32[16]
//   in   params_layer0_q             f32[16,16]
//   in   params_layer0_qkv_bias      f32[3,16]
//   in   params_layer0_up            f32[16,64]
//   in   params_layer0_up_bias       f32[64]
//   in   params_layer0_v             f32[16,16]
//   in   params_layer1_down          f32[64,16]
//   in   params_layer1_down_bias     f32[16]
//   in   params_layer1_k             f32[16,16]
//   in   params_layer1_norm1_bias    f32[16]
//   in   params_layer1_norm1_scale   f32[16]
//   in   params_layer1_norm2_bias    f32[16]
//   in   params_layer1_norm2_scale   f32[16]
//   in   params_layer1_out           f32[16,16]
//   in   params_layer1_out_bias      f32[16]
//   in   params_layer1_q             f32[16,16]
//   in   params_layer1_qkv_bias      f32[3,16]
//   in   params_layer1_up            f32[16,64]
//   in   params_layer1_up_bias       f32[64]
//   in   params_layer1_v             f32[16,16]
//   in   params_position             f32[16,16]
//   in   grads_embedding             f32[64,16]
//   in   grads_final_norm            f32[16]
//   in   grads_layer0_down           f32[64,16]
//   in   grads_layer0_down_bias      f32[16]
//   in   grads_layer0_k              f32[16,16]
//   in   grads_layer0_norm1_bias     f32[16]
//   in   grads_layer0_norm1_scale    f32[16]
//   in   grads_layer0_norm2_bias     f32[16]
//   in   grads_layer0_norm2_scale    f32[16]
//   in   grads_layer0_out            f32[16,16]
//   in   grads_layer0_out_bias       f32[16]
//   in   grads_layer0_q              f32[16,16]
//   in   grads_layer0_qkv_bias       f32[3,16]
//   in   grads_layer0_up             f32[16,64]
//   in   grads_layer0_up_bias        f32[64]
//   in   grads_layer0_v              f32[16,16]
//   in   grads_layer1_down           f32[64,16]
//   in   grads_layer1_down_bias      f32[16]
//   in   grads_layer1_k              f32[16,16]
//   in   grads_layer1_norm1_bias     f32[16]
//   in   grads_layer1_norm1_scale    f32[16]
//   in   grads_layer1_norm2_bias     f32[16]
//   in   grads_layer1_norm2_scale    f32[16]
//   in   grads_layer1_out            f32[16,16]
//   in   grads_layer1_out_bias       f32[16]
//   in   grads_layer1_q              f32[16,16]
//   in   grads_layer1_qkv_bias       f32[3,16]
//   in   grads_layer1_up             f32[16,64]
//   in   grads_layer1_up_bias        f32[64]
//   in   grads_layer1_v              f32[16,16]
//   in   grads_position              f32[16,16]
//   in   state_m_embedding           f32[64,16]
//   in   state_m_final_norm          f32[16]
//   in   state_m_layer0_down         f32[64,16]
//   in   state_m_layer0_down_bias    f32[16]
//   in   state_m_layer0_k            f32[16,16]
//   in   state_m_layer0_norm1_bias   f32[16]
//   in   state_m_layer0_norm1_scale  f32[16]
//   in   state_m_layer0_norm2_bias   f32[16]
//   in   state_m_layer0_norm2_scale  f32[16]
//   in   state_m_layer0_out          f32[16,16]
//   in   state_m_layer0_out_bias     f32[16]
//   in   state_m_layer0_q            f32[16,16]
//   in   state_m_layer0_qkv_bias     f32[3,16]
//   in   state_m_layer0_up           f32[16,64]
//   in   state_m_layer0_up_bias      f32[64]
//   in   state_m_layer0_v            f32[16,16]
//   in   state_m_layer1_down         f32[64,16]
//   in   state_m_layer1_down_bias    f32[16]
//   in   state_m_layer1_k            f32[16,16]
//   in   state_m_layer1_norm1_bias   f32[16]
//   in   state_m_layer1_norm1_scale  f32[16]
//   in   state_m_layer1_norm2_bias   f32[16]
//   in   state_m_layer1_norm2_scale  f32[16]
//   in   state_m_layer1_out          f32[16,16]
//   in   state_m_layer1_out_bias     f32[16]
//   in   state_m_layer1_q            f32[16,16]
//   in   state_m_layer1_qkv_bias     f32[3,16]
//   in   state_m_layer1_up           f32[16,64]
//   in   state_m_layer1_up_bias      f32[64]
//   in   state_m_layer1_v            f32[16,16]
//   in   state_m_position            f32[16,16]
//   in   state_step                  s32[]
//   in   state_v_embedding           f32[64,16]
//   in   state_v_final_norm          f32[16]
//   in   state_v_layer0_down         f32[64,16]
//   in   state_v_layer0_down_bias    f32[16]
//   in   state_v_layer0_k            f32[16,16]
//   in   state_v_layer0_norm1_bias   f32[16]
//   in   state_v_layer0_norm1_scale  f32[16]
//   in   state_v_layer0_norm2_bias   f32[16]
//   in   state_v_layer0_norm2_scale  f32[16]
//   in   state_v_layer0_out          f32[16,16]
//   in   state_v_layer0_out_bias     f32[16]
//   in   state_v_layer0_q            f32[16,16]
//   in   state_v_layer0_qkv_bias     f32[3,16]
//   in   state_v_layer0_up           f32[16,64]
//   in   state_v_layer0_up_bias      f32[64]
//   in   state_v_layer0_v            f32[16,16]
//   in   state_v_layer1_down         f32[64,16]
//   in   state_v_layer1_down_bias    f32[16]
//   in   state_v_layer1_k            f32[16,16]
//   in   state_v_layer1_norm1_bias   f32[16]
//   in   state_v_layer1_norm1_scale  f32[16]
//   in   state_v_layer1_norm2_bias   f32[16]
//   in   state_v_layer1_norm2_scale  f32[16]
//   in   state_v_layer1_out          f32[16,16]
//   in   state_v_layer1_out_bias     f32[16]
//   in   state_v_layer1_q            f32[16,16]
//   in   state_v_layer1_qkv_bias     f32[3,16]
//   in   state_v_layer1_up           f32[16,64]
//   in   state_v_layer1_up_bias      f32[64]
//   in   state_v_layer1_v            f32[16,16]
//   in   state_v_position            f32[16,16]
//   out  params_embedding            f32[64,16]
//   out  params_final_norm           f32[16]
//   out  params_layer0_down          f32[64,16]
//   out  params_layer0_down_bias     f32[16]
//   out  params_layer0_k             f32[16,16]
//   out  params_layer0_norm1_bias    f32[16]
//   out  params_layer0_norm1_scale   f32[16]
//   out  params_layer0_norm2_bias    f32[16]
//   out  params_layer0_norm2_scale   f32[16]
//   out  params_layer0_out           f32[16,16]
//   out  params_layer0_out_bias      f32[16]
//   out  params_layer0_q             f32[16,16]
//   out  params_layer0_qkv_bias      f32[3,16]
//   out  params_layer0_up            f32[16,64]
//   out  params_layer0_up_bias       f32[64]
//   out  params_layer0_v             f32[16,16]
//   out  params_layer1_down          f32[64,16]
//   out  params_layer1_down_bias     f32[16]
//   out  params_layer1_k             f32[16,16]
//   out  params_layer1_norm1_bias    f32[16]
//   out  params_layer1_norm1_scale   f32[16]
//   out  params_layer1_norm2_bias    f32[16]
//   out  params_layer1_norm2_scale   f32[16]
//   out  params_layer1_out           f32[16,16]
//   out  params_layer1_out_bias      f32[16]
//   out  params_layer1_q             f32[16,16]
//   out  params_layer1_qkv_bias      f32[3,16]
//   out  params_layer1_up            f32[16,64]
//   out  params_layer1_up_bias       f32[64]
//   out  params_layer1_v             f32[16,16]
//   out  params_position             f32[16,16]
//   out  state_m_embedding           f32[64,16]
//   out  state_m_final_norm          f32[16]
//   out  state_m_layer0_down         f32[64,16]
//   out  state_m_layer0_down_bias    f32[16]
//   out  state_m_layer0_k            f32[16,16]
//   out  state_m_layer0_norm1_bias   f32[16]
//   out  state_m_layer0_norm1_scale  f32[16]
//   out  state_m_layer0_norm2_bias   f32[16]
//   out  state_m_layer0_norm2_scale  f32[16]
//   out  state_m_layer0_out          f32[16,16]
//   out  state_m_layer0_out_bias     f32[16]
//   out  state_m_layer0_q            f32[16,16]
//   out  state_m_layer0_qkv_bias     f32[3,16]
//   out  state_m_layer0_up           f32[16,64]
//   out  state_m_layer0_up_bias      f32[64]
//   out  state_m_layer0_v            f32[16,16]
//   out  state_m_layer1_down         f32[64,16]
//   out  state_m_layer1_down_bias    f32[16]
//   out  state_m_layer1_k            f32[16,16]
//   out  state_m_layer1_norm1_bias   f32[16]
//   out  state_m_layer1_norm1_scale  f32[16]
//   out  state_m_layer1_norm2_bias   f32[16]
//   out  state_m_layer1_norm2_scale  f32[16]
//   out  state_m_layer1_out          f32[16,16]
//   out  state_m_layer1_out_bias     f32[16]
//   out  state_m_layer1_q            f32[16,16]
//   out  state_m_layer1_qkv_bias     f32[3,16]
//   out  state_m_layer1_up           f32[16,64]
//   out  state_m_layer1_up_bias      f32[64]
//   out  state_m_layer1_v            f32[16,16]
//   out  state_m_position            f32[16,16]
//   out  state_step                  s32[]
//   out  state_v_embedding           f32[64,16]
//   out  state_v_final_norm          f32[16]
//   out  state_v_layer0_down         f32[64,16]
//   out  state_v_layer0_down_bias    f32[16]
//   out  state_v_layer0_k            f32[16,16]
//   out  state_v_layer0_norm1_bias   f32[16]
//   out  state_v_layer0_norm1_scale  f32[16]
//   out  state_v_layer0_norm2_bias   f32[16]
//   out  state_v_layer0_norm2_scale  f32[16]
//   out  state_v_layer0_out          f32[16,16]
//   out  state_v_layer0_out_bias     f32[16]
//   out  state_v_layer0_q            f32[16,16]
//   out  state_v_layer0_qkv_bias     f32[3,16]
//   out  state_v_layer0_up           f32[16,64]
//   out  state_v_layer0_up_bias      f32[64]
//   out  state_v_layer0_v            f32[16,16]
//   out  state_v_layer1_down         f32[64,16]
//   out  state_v_layer1_down_bias    f32[16]
//   out  state_v_layer1_k            f32[16,16]
//   out  state_v_layer1_norm1_bias   f32[16]
//   out  state_v_layer1_norm1_scale  f32[16]
//   out  state_v_layer1_norm2_bias   f32[16]
//   out  state_v_layer1_norm2_scale  f32[16]
//   out  state_v_layer1_out          f32[16,16]
//   out  state_v_layer1_out_bias     f32[16]
//   out  state_v_layer1_q            f32[16,16]
//   out  state_v_layer1_qkv_bias     f32[3,16]
//   out  state_v_layer1_up           f32[16,64]
//   out  state_v_layer1_up_bias      f32[64]
//   out  state_v_layer1_v            f32[16,16]
//   out  state_v_position            f32[16,16]
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
#define ADAMW_UPDATE_INTERFACE 0xa4e456e387866116ULL

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
static const int64_t kAdamwUpdateInParamsEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateInParamsFinalNorm[] = {16};
static const int64_t kAdamwUpdateInParamsLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateInParamsLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateInParamsLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateInParamsLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInParamsLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInParamsLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInParamsLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInParamsLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateInParamsLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateInParamsLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateInParamsLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInParamsLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateInParamsLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateInParamsLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateInParamsLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateInParamsLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateInParamsLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateInParamsLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInParamsLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInParamsLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInParamsLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInParamsLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateInParamsLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateInParamsLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateInParamsLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInParamsLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateInParamsLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateInParamsLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateInParamsPosition[] = {16, 16};
static const int64_t kAdamwUpdateInGradsEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateInGradsFinalNorm[] = {16};
static const int64_t kAdamwUpdateInGradsLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateInGradsLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateInGradsLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateInGradsLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInGradsLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInGradsLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInGradsLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInGradsLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateInGradsLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateInGradsLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateInGradsLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInGradsLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateInGradsLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateInGradsLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateInGradsLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateInGradsLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateInGradsLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateInGradsLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInGradsLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInGradsLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInGradsLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInGradsLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateInGradsLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateInGradsLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateInGradsLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInGradsLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateInGradsLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateInGradsLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateInGradsPosition[] = {16, 16};
static const int64_t kAdamwUpdateInStateMEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateInStateMFinalNorm[] = {16};
static const int64_t kAdamwUpdateInStateMLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateInStateMLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateInStateMLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateInStateMLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInStateMLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInStateMLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInStateMLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInStateMLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateInStateMLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateInStateMLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateInStateMLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInStateMLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateInStateMLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateInStateMLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateInStateMLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateInStateMLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateInStateMLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateInStateMLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInStateMLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInStateMLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInStateMLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInStateMLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateInStateMLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateInStateMLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateInStateMLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInStateMLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateInStateMLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateInStateMLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateInStateMPosition[] = {16, 16};
static const int64_t kAdamwUpdateInStateVEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateInStateVFinalNorm[] = {16};
static const int64_t kAdamwUpdateInStateVLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateInStateVLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateInStateVLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateInStateVLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInStateVLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInStateVLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInStateVLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInStateVLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateInStateVLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateInStateVLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateInStateVLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInStateVLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateInStateVLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateInStateVLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateInStateVLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateInStateVLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateInStateVLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateInStateVLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateInStateVLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateInStateVLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateInStateVLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateInStateVLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateInStateVLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateInStateVLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateInStateVLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateInStateVLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateInStateVLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateInStateVLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateInStateVPosition[] = {16, 16};
static const int64_t kAdamwUpdateOutParamsEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateOutParamsFinalNorm[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateOutParamsLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateOutParamsLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateOutParamsLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateOutParamsLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutParamsLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateOutParamsLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateOutParamsLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateOutParamsLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateOutParamsLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateOutParamsLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateOutParamsLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateOutParamsLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateOutParamsLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutParamsLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateOutParamsLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateOutParamsLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateOutParamsPosition[] = {16, 16};
static const int64_t kAdamwUpdateOutStateMEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateOutStateMFinalNorm[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateOutStateMLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateOutStateMLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateOutStateMLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateOutStateMLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutStateMLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateOutStateMLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateOutStateMLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateOutStateMLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateOutStateMLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateOutStateMLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateOutStateMLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateOutStateMLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateOutStateMLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutStateMLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateOutStateMLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateOutStateMLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateOutStateMPosition[] = {16, 16};
static const int64_t kAdamwUpdateOutStateVEmbedding[] = {64, 16};
static const int64_t kAdamwUpdateOutStateVFinalNorm[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer0Down[] = {64, 16};
static const int64_t kAdamwUpdateOutStateVLayer0DownBias[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer0K[] = {16, 16};
static const int64_t kAdamwUpdateOutStateVLayer0Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer0Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer0Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer0Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer0Out[] = {16, 16};
static const int64_t kAdamwUpdateOutStateVLayer0OutBias[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer0Q[] = {16, 16};
static const int64_t kAdamwUpdateOutStateVLayer0QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutStateVLayer0Up[] = {16, 64};
static const int64_t kAdamwUpdateOutStateVLayer0UpBias[] = {64};
static const int64_t kAdamwUpdateOutStateVLayer0V[] = {16, 16};
static const int64_t kAdamwUpdateOutStateVLayer1Down[] = {64, 16};
static const int64_t kAdamwUpdateOutStateVLayer1DownBias[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer1K[] = {16, 16};
static const int64_t kAdamwUpdateOutStateVLayer1Norm1Bias[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer1Norm1Scale[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer1Norm2Bias[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer1Norm2Scale[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer1Out[] = {16, 16};
static const int64_t kAdamwUpdateOutStateVLayer1OutBias[] = {16};
static const int64_t kAdamwUpdateOutStateVLayer1Q[] = {16, 16};
static const int64_t kAdamwUpdateOutStateVLayer1QkvBias[] = {3, 16};
static const int64_t kAdamwUpdateOutStateVLayer1Up[] = {16, 64};
static const int64_t kAdamwUpdateOutStateVLayer1UpBias[] = {64};
static const int64_t kAdamwUpdateOutStateVLayer1V[] = {16, 16};
static const int64_t kAdamwUpdateOutStateVPosition[] = {16, 16};

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
  const float* params_embedding;            // f32[64,16]
  const float* params_final_norm;           // f32[16]
  const float* params_layer0_down;          // f32[64,16]
  const float* params_layer0_down_bias;     // f32[16]
  const float* params_layer0_k;             // f32[16,16]
  const float* params_layer0_norm1_bias;    // f32[16]
  const float* params_layer0_norm1_scale;   // f32[16]
  const float* params_layer0_norm2_bias;    // f32[16]
  const float* params_layer0_norm2_scale;   // f32[16]
  const float* params_layer0_out;           // f32[16,16]
  const float* params_layer0_out_bias;      // f32[16]
  const float* params_layer0_q;             // f32[16,16]
  const float* params_layer0_qkv_bias;      // f32[3,16]
  const float* params_layer0_up;            // f32[16,64]
  const float* params_layer0_up_bias;       // f32[64]
  const float* params_layer0_v;             // f32[16,16]
  const float* params_layer1_down;          // f32[64,16]
  const float* params_layer1_down_bias;     // f32[16]
  const float* params_layer1_k;             // f32[16,16]
  const float* params_layer1_norm1_bias;    // f32[16]
  const float* params_layer1_norm1_scale;   // f32[16]
  const float* params_layer1_norm2_bias;    // f32[16]
  const float* params_layer1_norm2_scale;   // f32[16]
  const float* params_layer1_out;           // f32[16,16]
  const float* params_layer1_out_bias;      // f32[16]
  const float* params_layer1_q;             // f32[16,16]
  const float* params_layer1_qkv_bias;      // f32[3,16]
  const float* params_layer1_up;            // f32[16,64]
  const float* params_layer1_up_bias;       // f32[64]
  const float* params_layer1_v;             // f32[16,16]
  const float* params_position;             // f32[16,16]
  const float* grads_embedding;             // f32[64,16]
  const float* grads_final_norm;            // f32[16]
  const float* grads_layer0_down;           // f32[64,16]
  const float* grads_layer0_down_bias;      // f32[16]
  const float* grads_layer0_k;              // f32[16,16]
  const float* grads_layer0_norm1_bias;     // f32[16]
  const float* grads_layer0_norm1_scale;    // f32[16]
  const float* grads_layer0_norm2_bias;     // f32[16]
  const float* grads_layer0_norm2_scale;    // f32[16]
  const float* grads_layer0_out;            // f32[16,16]
  const float* grads_layer0_out_bias;       // f32[16]
  const float* grads_layer0_q;              // f32[16,16]
  const float* grads_layer0_qkv_bias;       // f32[3,16]
  const float* grads_layer0_up;             // f32[16,64]
  const float* grads_layer0_up_bias;        // f32[64]
  const float* grads_layer0_v;              // f32[16,16]
  const float* grads_layer1_down;           // f32[64,16]
  const float* grads_layer1_down_bias;      // f32[16]
  const float* grads_layer1_k;              // f32[16,16]
  const float* grads_layer1_norm1_bias;     // f32[16]
  const float* grads_layer1_norm1_scale;    // f32[16]
  const float* grads_layer1_norm2_bias;     // f32[16]
  const float* grads_layer1_norm2_scale;    // f32[16]
  const float* grads_layer1_out;            // f32[16,16]
  const float* grads_layer1_out_bias;       // f32[16]
  const float* grads_layer1_q;              // f32[16,16]
  const float* grads_layer1_qkv_bias;       // f32[3,16]
  const float* grads_layer1_up;             // f32[16,64]
  const float* grads_layer1_up_bias;        // f32[64]
  const float* grads_layer1_v;              // f32[16,16]
  const float* grads_position;              // f32[16,16]
  const float* state_m_embedding;           // f32[64,16]
  const float* state_m_final_norm;          // f32[16]
  const float* state_m_layer0_down;         // f32[64,16]
  const float* state_m_layer0_down_bias;    // f32[16]
  const float* state_m_layer0_k;            // f32[16,16]
  const float* state_m_layer0_norm1_bias;   // f32[16]
  const float* state_m_layer0_norm1_scale;  // f32[16]
  const float* state_m_layer0_norm2_bias;   // f32[16]
  const float* state_m_layer0_norm2_scale;  // f32[16]
  const float* state_m_layer0_out;          // f32[16,16]
  const float* state_m_layer0_out_bias;     // f32[16]
  const float* state_m_layer0_q;            // f32[16,16]
  const float* state_m_layer0_qkv_bias;     // f32[3,16]
  const float* state_m_layer0_up;           // f32[16,64]
  const float* state_m_layer0_up_bias;      // f32[64]
  const float* state_m_layer0_v;            // f32[16,16]
  const float* state_m_layer1_down;         // f32[64,16]
  const float* state_m_layer1_down_bias;    // f32[16]
  const float* state_m_layer1_k;            // f32[16,16]
  const float* state_m_layer1_norm1_bias;   // f32[16]
  const float* state_m_layer1_norm1_scale;  // f32[16]
  const float* state_m_layer1_norm2_bias;   // f32[16]
  const float* state_m_layer1_norm2_scale;  // f32[16]
  const float* state_m_layer1_out;          // f32[16,16]
  const float* state_m_layer1_out_bias;     // f32[16]
  const float* state_m_layer1_q;            // f32[16,16]
  const float* state_m_layer1_qkv_bias;     // f32[3,16]
  const float* state_m_layer1_up;           // f32[16,64]
  const float* state_m_layer1_up_bias;      // f32[64]
  const float* state_m_layer1_v;            // f32[16,16]
  const float* state_m_position;            // f32[16,16]
  const int* state_step;                    // s32[]
  const float* state_v_embedding;           // f32[64,16]
  const float* state_v_final_norm;          // f32[16]
  const float* state_v_layer0_down;         // f32[64,16]
  const float* state_v_layer0_down_bias;    // f32[16]
  const float* state_v_layer0_k;            // f32[16,16]
  const float* state_v_layer0_norm1_bias;   // f32[16]
  const float* state_v_layer0_norm1_scale;  // f32[16]
  const float* state_v_layer0_norm2_bias;   // f32[16]
  const float* state_v_layer0_norm2_scale;  // f32[16]
  const float* state_v_layer0_out;          // f32[16,16]
  const float* state_v_layer0_out_bias;     // f32[16]
  const float* state_v_layer0_q;            // f32[16,16]
  const float* state_v_layer0_qkv_bias;     // f32[3,16]
  const float* state_v_layer0_up;           // f32[16,64]
  const float* state_v_layer0_up_bias;      // f32[64]
  const float* state_v_layer0_v;            // f32[16,16]
  const float* state_v_layer1_down;         // f32[64,16]
  const float* state_v_layer1_down_bias;    // f32[16]
  const float* state_v_layer1_k;            // f32[16,16]
  const float* state_v_layer1_norm1_bias;   // f32[16]
  const float* state_v_layer1_norm1_scale;  // f32[16]
  const float* state_v_layer1_norm2_bias;   // f32[16]
  const float* state_v_layer1_norm2_scale;  // f32[16]
  const float* state_v_layer1_out;          // f32[16,16]
  const float* state_v_layer1_out_bias;     // f32[16]
  const float* state_v_layer1_q;            // f32[16,16]
  const float* state_v_layer1_qkv_bias;     // f32[3,16]
  const float* state_v_layer1_up;           // f32[16,64]
  const float* state_v_layer1_up_bias;      // f32[64]
  const float* state_v_layer1_v;            // f32[16,16]
  const float* state_v_position;            // f32[16,16]
} AdamwUpdateInputs;

typedef struct AdamwUpdateOutputs {
  float* params_embedding;            // f32[64,16]
  float* params_final_norm;           // f32[16]
  float* params_layer0_down;          // f32[64,16]
  float* params_layer0_down_bias;     // f32[16]
  float* params_layer0_k;             // f32[16,16]
  float* params_layer0_norm1_bias;    // f32[16]
  float* params_layer0_norm1_scale;   // f32[16]
  float* params_layer0_norm2_bias;    // f32[16]
  float* params_layer0_norm2_scale;   // f32[16]
  float* params_layer0_out;           // f32[16,16]
  float* params_layer0_out_bias;      // f32[16]
  float* params_layer0_q;             // f32[16,16]
  float* params_layer0_qkv_bias;      // f32[3,16]
  float* params_layer0_up;            // f32[16,64]
  float* params_layer0_up_bias;       // f32[64]
  float* params_layer0_v;             // f32[16,16]
  float* params_layer1_down;          // f32[64,16]
  float* params_layer1_down_bias;     // f32[16]
  float* params_layer1_k;             // f32[16,16]
  float* params_layer1_norm1_bias;    // f32[16]
  float* params_layer1_norm1_scale;   // f32[16]
  float* params_layer1_norm2_bias;    // f32[16]
  float* params_layer1_norm2_scale;   // f32[16]
  float* params_layer1_out;           // f32[16,16]
  float* params_layer1_out_bias;      // f32[16]
  float* params_layer1_q;             // f32[16,16]
  float* params_layer1_qkv_bias;      // f32[3,16]
  float* params_layer1_up;            // f32[16,64]
  float* params_layer1_up_bias;       // f32[64]
  float* params_layer1_v;             // f32[16,16]
  float* params_position;             // f32[16,16]
  float* state_m_embedding;           // f32[64,16]
  float* state_m_final_norm;          // f32[16]
  float* state_m_layer0_down;         // f32[64,16]
  float* state_m_layer0_down_bias;    // f32[16]
  float* state_m_layer0_k;            // f32[16,16]
  float* state_m_layer0_norm1_bias;   // f32[16]
  float* state_m_layer0_norm1_scale;  // f32[16]
  float* state_m_layer0_norm2_bias;   // f32[16]
  float* state_m_layer0_norm2_scale;  // f32[16]
  float* state_m_layer0_out;          // f32[16,16]
  float* state_m_layer0_out_bias;     // f32[16]
  float* state_m_layer0_q;            // f32[16,16]
  float* state_m_layer0_qkv_bias;     // f32[3,16]
  float* state_m_layer0_up;           // f32[16,64]
  float* state_m_layer0_up_bias;      // f32[64]
  float* state_m_layer0_v;            // f32[16,16]
  float* state_m_layer1_down;         // f32[64,16]
  float* state_m_layer1_down_bias;    // f32[16]
  float* state_m_layer1_k;            // f32[16,16]
  float* state_m_layer1_norm1_bias;   // f32[16]
  float* state_m_layer1_norm1_scale;  // f32[16]
  float* state_m_layer1_norm2_bias;   // f32[16]
  float* state_m_layer1_norm2_scale;  // f32[16]
  float* state_m_layer1_out;          // f32[16,16]
  float* state_m_layer1_out_bias;     // f32[16]
  float* state_m_layer1_q;            // f32[16,16]
  float* state_m_layer1_qkv_bias;     // f32[3,16]
  float* state_m_layer1_up;           // f32[16,64]
  float* state_m_layer1_up_bias;      // f32[64]
  float* state_m_layer1_v;            // f32[16,16]
  float* state_m_position;            // f32[16,16]
  int* state_step;                    // s32[]
  float* state_v_embedding;           // f32[64,16]
  float* state_v_final_norm;          // f32[16]
  float* state_v_layer0_down;         // f32[64,16]
  float* state_v_layer0_down_bias;    // f32[16]
  float* state_v_layer0_k;            // f32[16,16]
  float* state_v_layer0_norm1_bias;   // f32[16]
  float* state_v_layer0_norm1_scale;  // f32[16]
  float* state_v_layer0_norm2_bias;   // f32[16]
  float* state_v_layer0_norm2_scale;  // f32[16]
  float* state_v_layer0_out;          // f32[16,16]
  float* state_v_layer0_out_bias;     // f32[16]
  float* state_v_layer0_q;            // f32[16,16]
  float* state_v_layer0_qkv_bias;     // f32[3,16]
  float* state_v_layer0_up;           // f32[16,64]
  float* state_v_layer0_up_bias;      // f32[64]
  float* state_v_layer0_v;            // f32[16,16]
  float* state_v_layer1_down;         // f32[64,16]
  float* state_v_layer1_down_bias;    // f32[16]
  float* state_v_layer1_k;            // f32[16,16]
  float* state_v_layer1_norm1_bias;   // f32[16]
  float* state_v_layer1_norm1_scale;  // f32[16]
  float* state_v_layer1_norm2_bias;   // f32[16]
  float* state_v_layer1_norm2_scale;  // f32[16]
  float* state_v_layer1_out;          // f32[16,16]
  float* state_v_layer1_out_bias;     // f32[16]
  float* state_v_layer1_q;            // f32[16,16]
  float* state_v_layer1_qkv_bias;     // f32[3,16]
  float* state_v_layer1_up;           // f32[16,64]
  float* state_v_layer1_up_bias;      // f32[64]
  float* state_v_layer1_v;            // f32[16,16]
  float* state_v_position;            // f32[16,16]
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
//   params_embedding, params_embedding
//   params_final_norm, params_final_norm
//   params_layer0_down, params_layer0_down
//   params_layer0_down_bias, params_layer0_down_bias
//   params_layer0_k, params_layer0_k
//   params_layer0_norm1_bias, params_layer0_norm1_bias
//   params_layer0_norm1_scale, params_layer0_norm1_scale
//   params_layer0_norm2_bias, params_layer0_norm2_bias
//   params_layer0_norm2_scale, params_layer0_norm2_scale
//   params_layer0_out, params_layer0_out
//   params_layer0_out_bias, params_layer0_out_bias
//   params_layer0_q, params_layer0_q
//   params_layer0_qkv_bias, params_layer0_qkv_bias
//   params_layer0_up, params_layer0_up
//   params_layer0_up_bias, params_layer0_up_bias
//   params_layer0_v, params_layer0_v
//   params_layer1_down, params_layer1_down
//   params_layer1_down_bias, params_layer1_down_bias
//   params_layer1_k, params_layer1_k
//   params_layer1_norm1_bias, params_layer1_norm1_bias
//   params_layer1_norm1_scale, params_layer1_norm1_scale
//   params_layer1_norm2_bias, params_layer1_norm2_bias
//   params_layer1_norm2_scale, params_layer1_norm2_scale
//   params_layer1_out, params_layer1_out
//   params_layer1_out_bias, params_layer1_out_bias
//   params_layer1_q, params_layer1_q
//   params_layer1_qkv_bias, params_layer1_qkv_bias
//   params_layer1_up, params_layer1_up
//   params_layer1_up_bias, params_layer1_up_bias
//   params_layer1_v, params_layer1_v
//   params_position, params_position
//   state_m_embedding, state_m_embedding
//   state_m_final_norm, state_m_final_norm
//   state_m_layer0_down, state_m_layer0_down
//   state_m_layer0_down_bias, state_m_layer0_down_bias
//   state_m_layer0_k, state_m_layer0_k
//   state_m_layer0_norm1_bias, state_m_layer0_norm1_bias
//   state_m_layer0_norm1_scale, state_m_layer0_norm1_scale
//   state_m_layer0_norm2_bias, state_m_layer0_norm2_bias
//   state_m_layer0_norm2_scale, state_m_layer0_norm2_scale
//   state_m_layer0_out, state_m_layer0_out
//   state_m_layer0_out_bias, state_m_layer0_out_bias
//   state_m_layer0_q, state_m_layer0_q
//   state_m_layer0_qkv_bias, state_m_layer0_qkv_bias
//   state_m_layer0_up, state_m_layer0_up
//   state_m_layer0_up_bias, state_m_layer0_up_bias
//   state_m_layer0_v, state_m_layer0_v
//   state_m_layer1_down, state_m_layer1_down
//   state_m_layer1_down_bias, state_m_layer1_down_bias
//   state_m_layer1_k, state_m_layer1_k
//   state_m_layer1_norm1_bias, state_m_layer1_norm1_bias
//   state_m_layer1_norm1_scale, state_m_layer1_norm1_scale
//   state_m_layer1_norm2_bias, state_m_layer1_norm2_bias
//   state_m_layer1_norm2_scale, state_m_layer1_norm2_scale
//   state_m_layer1_out, state_m_layer1_out
//   state_m_layer1_out_bias, state_m_layer1_out_bias
//   state_m_layer1_q, state_m_layer1_q
//   state_m_layer1_qkv_bias, state_m_layer1_qkv_bias
//   state_m_layer1_up, state_m_layer1_up
//   state_m_layer1_up_bias, state_m_layer1_up_bias
//   state_m_layer1_v, state_m_layer1_v
//   state_m_position, state_m_position
//   state_step, state_step
//   state_v_embedding, state_v_embedding
//   state_v_final_norm, state_v_final_norm
//   state_v_layer0_down, state_v_layer0_down
//   state_v_layer0_down_bias, state_v_layer0_down_bias
//   state_v_layer0_k, state_v_layer0_k
//   state_v_layer0_norm1_bias, state_v_layer0_norm1_bias
//   state_v_layer0_norm1_scale, state_v_layer0_norm1_scale
//   state_v_layer0_norm2_bias, state_v_layer0_norm2_bias
//   state_v_layer0_norm2_scale, state_v_layer0_norm2_scale
//   state_v_layer0_out, state_v_layer0_out
//   state_v_layer0_out_bias, state_v_layer0_out_bias
//   state_v_layer0_q, state_v_layer0_q
//   state_v_layer0_qkv_bias, state_v_layer0_qkv_bias
//   state_v_layer0_up, state_v_layer0_up
//   state_v_layer0_up_bias, state_v_layer0_up_bias
//   state_v_layer0_v, state_v_layer0_v
//   state_v_layer1_down, state_v_layer1_down
//   state_v_layer1_down_bias, state_v_layer1_down_bias
//   state_v_layer1_k, state_v_layer1_k
//   state_v_layer1_norm1_bias, state_v_layer1_norm1_bias
//   state_v_layer1_norm1_scale, state_v_layer1_norm1_scale
//   state_v_layer1_norm2_bias, state_v_layer1_norm2_bias
//   state_v_layer1_norm2_scale, state_v_layer1_norm2_scale
//   state_v_layer1_out, state_v_layer1_out
//   state_v_layer1_out_bias, state_v_layer1_out_bias
//   state_v_layer1_q, state_v_layer1_q
//   state_v_layer1_qkv_bias, state_v_layer1_qkv_bias
//   state_v_layer1_up, state_v_layer1_up
//   state_v_layer1_up_bias, state_v_layer1_up_bias
//   state_v_layer1_v, state_v_layer1_v
//   state_v_position, state_v_position
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
