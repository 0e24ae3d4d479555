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
//   out  sub_1                       f32[64,16]
//   out  sub_2                       f32[16]
//   out  sub_3                       f32[64,16]
//   out  sub_4                       f32[16]
//   out  sub_5                       f32[16,16]
//   out  sub_6                       f32[16]
//   out  sub_7                       f32[16]
//   out  sub_8                       f32[16]
//   out  sub_9                       f32[16]
//   out  sub_10                      f32[16,16]
//   out  sub_11                      f32[16]
//   out  sub_12                      f32[16,16]
//   out  sub_13                      f32[3,16]
//   out  sub_14                      f32[16,64]
//   out  sub_15                      f32[64]
//   out  sub_16                      f32[16,16]
//   out  sub_17                      f32[64,16]
//   out  sub_18                      f32[16]
//   out  sub_19                      f32[16,16]
//   out  sub_20                      f32[16]
//   out  sub_21                      f32[16]
//   out  sub_22                      f32[16]
//   out  sub_23                      f32[16]
//   out  sub_24                      f32[16,16]
//   out  sub_25                      f32[16]
//   out  sub_26                      f32[16,16]
//   out  sub_27                      f32[3,16]
//   out  sub_28                      f32[16,64]
//   out  sub_29                      f32[64]
//   out  sub_30                      f32[16,16]
//   out  sub_31                      f32[16,16]
//   out  add_1                       f32[64,16]
//   out  add_2                       f32[16]
//   out  add_3                       f32[64,16]
//   out  add_4                       f32[16]
//   out  add_5                       f32[16,16]
//   out  add_6                       f32[16]
//   out  add_7                       f32[16]
//   out  add_8                       f32[16]
//   out  add_9                       f32[16]
//   out  add_10                      f32[16,16]
//   out  add_11                      f32[16]
//   out  add_12                      f32[16,16]
//   out  add_13                      f32[3,16]
//   out  add_14                      f32[16,64]
//   out  add_15                      f32[64]
//   out  add_16                      f32[16,16]
//   out  add_17                      f32[64,16]
//   out  add_18                      f32[16]
//   out  add_19                      f32[16,16]
//   out  add_20                      f32[16]
//   out  add_21                      f32[16]
//   out  add_22                      f32[16]
//   out  add_23                      f32[16]
//   out  add_24                      f32[16,16]
//   out  add_25                      f32[16]
//   out  add_26                      f32[16,16]
//   out  add_27                      f32[3,16]
//   out  add_28                      f32[16,64]
//   out  add_29                      f32[64]
//   out  add_30                      f32[16,16]
//   out  add_31                      f32[16,16]
//   out  add_32                      s32[]
//   out  add_33                      f32[64,16]
//   out  add_34                      f32[16]
//   out  add_35                      f32[64,16]
//   out  add_36                      f32[16]
//   out  add_37                      f32[16,16]
//   out  add_38                      f32[16]
//   out  add_39                      f32[16]
//   out  add_40                      f32[16]
//   out  add_41                      f32[16]
//   out  add_42                      f32[16,16]
//   out  add_43                      f32[16]
//   out  add_44                      f32[16,16]
//   out  add_45                      f32[3,16]
//   out  add_46                      f32[16,64]
//   out  add_47                      f32[64]
//   out  add_48                      f32[16,16]
//   out  add_49                      f32[64,16]
//   out  add_50                      f32[16]
//   out  add_51                      f32[16,16]
//   out  add_52                      f32[16]
//   out  add_53                      f32[16]
//   out  add_54                      f32[16]
//   out  add_55                      f32[16]
//   out  add_56                      f32[16,16]
//   out  add_57                      f32[16]
//   out  add_58                      f32[16,16]
//   out  add_59                      f32[3,16]
//   out  add_60                      f32[16,64]
//   out  add_61                      f32[64]
//   out  add_62                      f32[16,16]
//   out  add_63                      f32[16,16]
//
//   AdamwUpdateInstance* instance;
//   if (adamw_update_create(&instance) != kAdamwUpdateOk) puts(adamw_update_last_error());
//   adamw_update_run(instance, &in, &out, stream);  // as often as needed
//   adamw_update_destroy(instance);
//
// An instance belongs to the device that is current when it is created, and holds the memory for one run at a time:
// runs of one instance must follow each other, on one stream or by events. Instances are independent of each other.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// CUDA's stream handle, as its own headers declare it. NULL is the default stream.
typedef struct CUstream_st* cudaStream_t;

typedef enum AdamwUpdateStatus {
  kAdamwUpdateOk = 0,
  kAdamwUpdateInvalidArgument = 1,  // a pointer is null, misaligned, or overlaps where it must not
  kAdamwUpdateOutOfMemory = 2,      // adamw_update_create found too little memory
  kAdamwUpdateCudaError = 3,        // a call of the CUDA runtime failed
} AdamwUpdateStatus;

enum {
  kAdamwUpdateInputCount = 125,
  kAdamwUpdateOutputCount = 94,
  // 1 if adamw_update_run waits for the stream, because the host decides about a loop; 0 if it only enqueues work.
  kAdamwUpdateRunSynchronises = 0,
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
static const int64_t kAdamwUpdateOutSub1[] = {64, 16};
static const int64_t kAdamwUpdateOutSub2[] = {16};
static const int64_t kAdamwUpdateOutSub3[] = {64, 16};
static const int64_t kAdamwUpdateOutSub4[] = {16};
static const int64_t kAdamwUpdateOutSub5[] = {16, 16};
static const int64_t kAdamwUpdateOutSub6[] = {16};
static const int64_t kAdamwUpdateOutSub7[] = {16};
static const int64_t kAdamwUpdateOutSub8[] = {16};
static const int64_t kAdamwUpdateOutSub9[] = {16};
static const int64_t kAdamwUpdateOutSub10[] = {16, 16};
static const int64_t kAdamwUpdateOutSub11[] = {16};
static const int64_t kAdamwUpdateOutSub12[] = {16, 16};
static const int64_t kAdamwUpdateOutSub13[] = {3, 16};
static const int64_t kAdamwUpdateOutSub14[] = {16, 64};
static const int64_t kAdamwUpdateOutSub15[] = {64};
static const int64_t kAdamwUpdateOutSub16[] = {16, 16};
static const int64_t kAdamwUpdateOutSub17[] = {64, 16};
static const int64_t kAdamwUpdateOutSub18[] = {16};
static const int64_t kAdamwUpdateOutSub19[] = {16, 16};
static const int64_t kAdamwUpdateOutSub20[] = {16};
static const int64_t kAdamwUpdateOutSub21[] = {16};
static const int64_t kAdamwUpdateOutSub22[] = {16};
static const int64_t kAdamwUpdateOutSub23[] = {16};
static const int64_t kAdamwUpdateOutSub24[] = {16, 16};
static const int64_t kAdamwUpdateOutSub25[] = {16};
static const int64_t kAdamwUpdateOutSub26[] = {16, 16};
static const int64_t kAdamwUpdateOutSub27[] = {3, 16};
static const int64_t kAdamwUpdateOutSub28[] = {16, 64};
static const int64_t kAdamwUpdateOutSub29[] = {64};
static const int64_t kAdamwUpdateOutSub30[] = {16, 16};
static const int64_t kAdamwUpdateOutSub31[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd1[] = {64, 16};
static const int64_t kAdamwUpdateOutAdd2[] = {16};
static const int64_t kAdamwUpdateOutAdd3[] = {64, 16};
static const int64_t kAdamwUpdateOutAdd4[] = {16};
static const int64_t kAdamwUpdateOutAdd5[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd6[] = {16};
static const int64_t kAdamwUpdateOutAdd7[] = {16};
static const int64_t kAdamwUpdateOutAdd8[] = {16};
static const int64_t kAdamwUpdateOutAdd9[] = {16};
static const int64_t kAdamwUpdateOutAdd10[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd11[] = {16};
static const int64_t kAdamwUpdateOutAdd12[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd13[] = {3, 16};
static const int64_t kAdamwUpdateOutAdd14[] = {16, 64};
static const int64_t kAdamwUpdateOutAdd15[] = {64};
static const int64_t kAdamwUpdateOutAdd16[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd17[] = {64, 16};
static const int64_t kAdamwUpdateOutAdd18[] = {16};
static const int64_t kAdamwUpdateOutAdd19[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd20[] = {16};
static const int64_t kAdamwUpdateOutAdd21[] = {16};
static const int64_t kAdamwUpdateOutAdd22[] = {16};
static const int64_t kAdamwUpdateOutAdd23[] = {16};
static const int64_t kAdamwUpdateOutAdd24[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd25[] = {16};
static const int64_t kAdamwUpdateOutAdd26[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd27[] = {3, 16};
static const int64_t kAdamwUpdateOutAdd28[] = {16, 64};
static const int64_t kAdamwUpdateOutAdd29[] = {64};
static const int64_t kAdamwUpdateOutAdd30[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd31[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd33[] = {64, 16};
static const int64_t kAdamwUpdateOutAdd34[] = {16};
static const int64_t kAdamwUpdateOutAdd35[] = {64, 16};
static const int64_t kAdamwUpdateOutAdd36[] = {16};
static const int64_t kAdamwUpdateOutAdd37[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd38[] = {16};
static const int64_t kAdamwUpdateOutAdd39[] = {16};
static const int64_t kAdamwUpdateOutAdd40[] = {16};
static const int64_t kAdamwUpdateOutAdd41[] = {16};
static const int64_t kAdamwUpdateOutAdd42[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd43[] = {16};
static const int64_t kAdamwUpdateOutAdd44[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd45[] = {3, 16};
static const int64_t kAdamwUpdateOutAdd46[] = {16, 64};
static const int64_t kAdamwUpdateOutAdd47[] = {64};
static const int64_t kAdamwUpdateOutAdd48[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd49[] = {64, 16};
static const int64_t kAdamwUpdateOutAdd50[] = {16};
static const int64_t kAdamwUpdateOutAdd51[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd52[] = {16};
static const int64_t kAdamwUpdateOutAdd53[] = {16};
static const int64_t kAdamwUpdateOutAdd54[] = {16};
static const int64_t kAdamwUpdateOutAdd55[] = {16};
static const int64_t kAdamwUpdateOutAdd56[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd57[] = {16};
static const int64_t kAdamwUpdateOutAdd58[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd59[] = {3, 16};
static const int64_t kAdamwUpdateOutAdd60[] = {16, 64};
static const int64_t kAdamwUpdateOutAdd61[] = {64};
static const int64_t kAdamwUpdateOutAdd62[] = {16, 16};
static const int64_t kAdamwUpdateOutAdd63[] = {16, 16};

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
  float* sub_1;   // f32[64,16]
  float* sub_2;   // f32[16]
  float* sub_3;   // f32[64,16]
  float* sub_4;   // f32[16]
  float* sub_5;   // f32[16,16]
  float* sub_6;   // f32[16]
  float* sub_7;   // f32[16]
  float* sub_8;   // f32[16]
  float* sub_9;   // f32[16]
  float* sub_10;  // f32[16,16]
  float* sub_11;  // f32[16]
  float* sub_12;  // f32[16,16]
  float* sub_13;  // f32[3,16]
  float* sub_14;  // f32[16,64]
  float* sub_15;  // f32[64]
  float* sub_16;  // f32[16,16]
  float* sub_17;  // f32[64,16]
  float* sub_18;  // f32[16]
  float* sub_19;  // f32[16,16]
  float* sub_20;  // f32[16]
  float* sub_21;  // f32[16]
  float* sub_22;  // f32[16]
  float* sub_23;  // f32[16]
  float* sub_24;  // f32[16,16]
  float* sub_25;  // f32[16]
  float* sub_26;  // f32[16,16]
  float* sub_27;  // f32[3,16]
  float* sub_28;  // f32[16,64]
  float* sub_29;  // f32[64]
  float* sub_30;  // f32[16,16]
  float* sub_31;  // f32[16,16]
  float* add_1;   // f32[64,16]
  float* add_2;   // f32[16]
  float* add_3;   // f32[64,16]
  float* add_4;   // f32[16]
  float* add_5;   // f32[16,16]
  float* add_6;   // f32[16]
  float* add_7;   // f32[16]
  float* add_8;   // f32[16]
  float* add_9;   // f32[16]
  float* add_10;  // f32[16,16]
  float* add_11;  // f32[16]
  float* add_12;  // f32[16,16]
  float* add_13;  // f32[3,16]
  float* add_14;  // f32[16,64]
  float* add_15;  // f32[64]
  float* add_16;  // f32[16,16]
  float* add_17;  // f32[64,16]
  float* add_18;  // f32[16]
  float* add_19;  // f32[16,16]
  float* add_20;  // f32[16]
  float* add_21;  // f32[16]
  float* add_22;  // f32[16]
  float* add_23;  // f32[16]
  float* add_24;  // f32[16,16]
  float* add_25;  // f32[16]
  float* add_26;  // f32[16,16]
  float* add_27;  // f32[3,16]
  float* add_28;  // f32[16,64]
  float* add_29;  // f32[64]
  float* add_30;  // f32[16,16]
  float* add_31;  // f32[16,16]
  int* add_32;    // s32[]
  float* add_33;  // f32[64,16]
  float* add_34;  // f32[16]
  float* add_35;  // f32[64,16]
  float* add_36;  // f32[16]
  float* add_37;  // f32[16,16]
  float* add_38;  // f32[16]
  float* add_39;  // f32[16]
  float* add_40;  // f32[16]
  float* add_41;  // f32[16]
  float* add_42;  // f32[16,16]
  float* add_43;  // f32[16]
  float* add_44;  // f32[16,16]
  float* add_45;  // f32[3,16]
  float* add_46;  // f32[16,64]
  float* add_47;  // f32[64]
  float* add_48;  // f32[16,16]
  float* add_49;  // f32[64,16]
  float* add_50;  // f32[16]
  float* add_51;  // f32[16,16]
  float* add_52;  // f32[16]
  float* add_53;  // f32[16]
  float* add_54;  // f32[16]
  float* add_55;  // f32[16]
  float* add_56;  // f32[16,16]
  float* add_57;  // f32[16]
  float* add_58;  // f32[16,16]
  float* add_59;  // f32[3,16]
  float* add_60;  // f32[16,64]
  float* add_61;  // f32[64]
  float* add_62;  // f32[16,16]
  float* add_63;  // f32[16,16]
} AdamwUpdateOutputs;

typedef struct AdamwUpdateInstance AdamwUpdateInstance;

// Allocates what runs need. *instance is NULL if this fails.
AdamwUpdateStatus adamw_update_create(AdamwUpdateInstance** instance);

// Computes the outputs from the inputs, on `stream`. Allocates nothing. An output must not overlap an input or another
// output, but for these pairs, which may be given one and the same pointer:
//   params_embedding, sub_1
//   params_final_norm, sub_2
//   params_layer0_down, sub_3
//   params_layer0_down_bias, sub_4
//   params_layer0_k, sub_5
//   params_layer0_norm1_bias, sub_6
//   params_layer0_norm1_scale, sub_7
//   params_layer0_norm2_bias, sub_8
//   params_layer0_norm2_scale, sub_9
//   params_layer0_out, sub_10
//   params_layer0_out_bias, sub_11
//   params_layer0_q, sub_12
//   params_layer0_qkv_bias, sub_13
//   params_layer0_up, sub_14
//   params_layer0_up_bias, sub_15
//   params_layer0_v, sub_16
//   params_layer1_down, sub_17
//   params_layer1_down_bias, sub_18
//   params_layer1_k, sub_19
//   params_layer1_norm1_bias, sub_20
//   params_layer1_norm1_scale, sub_21
//   params_layer1_norm2_bias, sub_22
//   params_layer1_norm2_scale, sub_23
//   params_layer1_out, sub_24
//   params_layer1_out_bias, sub_25
//   params_layer1_q, sub_26
//   params_layer1_qkv_bias, sub_27
//   params_layer1_up, sub_28
//   params_layer1_up_bias, sub_29
//   params_layer1_v, sub_30
//   params_position, sub_31
//   state_m_embedding, add_1
//   state_m_final_norm, add_2
//   state_m_layer0_down, add_3
//   state_m_layer0_down_bias, add_4
//   state_m_layer0_k, add_5
//   state_m_layer0_norm1_bias, add_6
//   state_m_layer0_norm1_scale, add_7
//   state_m_layer0_norm2_bias, add_8
//   state_m_layer0_norm2_scale, add_9
//   state_m_layer0_out, add_10
//   state_m_layer0_out_bias, add_11
//   state_m_layer0_q, add_12
//   state_m_layer0_qkv_bias, add_13
//   state_m_layer0_up, add_14
//   state_m_layer0_up_bias, add_15
//   state_m_layer0_v, add_16
//   state_m_layer1_down, add_17
//   state_m_layer1_down_bias, add_18
//   state_m_layer1_k, add_19
//   state_m_layer1_norm1_bias, add_20
//   state_m_layer1_norm1_scale, add_21
//   state_m_layer1_norm2_bias, add_22
//   state_m_layer1_norm2_scale, add_23
//   state_m_layer1_out, add_24
//   state_m_layer1_out_bias, add_25
//   state_m_layer1_q, add_26
//   state_m_layer1_qkv_bias, add_27
//   state_m_layer1_up, add_28
//   state_m_layer1_up_bias, add_29
//   state_m_layer1_v, add_30
//   state_m_position, add_31
//   state_step, add_32
//   state_v_embedding, add_33
//   state_v_final_norm, add_34
//   state_v_layer0_down, add_35
//   state_v_layer0_down_bias, add_36
//   state_v_layer0_k, add_37
//   state_v_layer0_norm1_bias, add_38
//   state_v_layer0_norm1_scale, add_39
//   state_v_layer0_norm2_bias, add_40
//   state_v_layer0_norm2_scale, add_41
//   state_v_layer0_out, add_42
//   state_v_layer0_out_bias, add_43
//   state_v_layer0_q, add_44
//   state_v_layer0_qkv_bias, add_45
//   state_v_layer0_up, add_46
//   state_v_layer0_up_bias, add_47
//   state_v_layer0_v, add_48
//   state_v_layer1_down, add_49
//   state_v_layer1_down_bias, add_50
//   state_v_layer1_k, add_51
//   state_v_layer1_norm1_bias, add_52
//   state_v_layer1_norm1_scale, add_53
//   state_v_layer1_norm2_bias, add_54
//   state_v_layer1_norm2_scale, add_55
//   state_v_layer1_out, add_56
//   state_v_layer1_out_bias, add_57
//   state_v_layer1_q, add_58
//   state_v_layer1_qkv_bias, add_59
//   state_v_layer1_up, add_60
//   state_v_layer1_up_bias, add_61
//   state_v_layer1_v, add_62
//   state_v_position, add_63
AdamwUpdateStatus adamw_update_run(AdamwUpdateInstance* instance, const AdamwUpdateInputs* in,
                                   const AdamwUpdateOutputs* out, cudaStream_t stream);

// The instance's runs must be finished. NULL is allowed.
void adamw_update_destroy(AdamwUpdateInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* adamw_update_last_error(void);

#ifdef __cplusplus
}
#endif
