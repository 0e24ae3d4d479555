// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels {

struct DecodeAttentionArrays {
  struct DecodeAttention2Arrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_0_norm1;
    const __nv_bfloat16* params_layers_0_q;
    const int* tokens;
    const float* square_sum;
    __nv_bfloat16* dot_out;
  } decode_attention_2;
  struct DecodeAttention3Arrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_0_k;
    const __nv_bfloat16* params_layers_0_norm1;
    const __nv_bfloat16* params_layers_0_v;
    const int* tokens;
    const float* square_sum;
    __nv_bfloat16* dot_1_out;
    __nv_bfloat16* dot_2_out;
  } decode_attention_3;
};

cudaError_t
launch_decode_attention(const DecodeAttentionArrays& arrays, cudaStream_t stream);

struct DecodeAttention2Arrays {
  struct ValuesArrays {
    const __nv_bfloat16* cache_v_in;
    const int* position;
    const __nv_bfloat16* dot;
    __nv_bfloat16* cache_v_out;
  } values;
  struct KeysArrays {
    const __nv_bfloat16* cache_k_in;
    const int* position;
    const __nv_bfloat16* dot;
    const float* cos_angle;
    const float* sin_angle;
    __nv_bfloat16* cache_k_out;
  } keys;
};

cudaError_t
launch_decode_attention_2(const DecodeAttention2Arrays& arrays, cudaStream_t stream);

cudaError_t
launch_decode_attention_3(const __nv_bfloat16* dot_in,
                          const float* cos_angle,
                          const float* sin_angle,
                          const __nv_bfloat16* cache_k,
                          float* dot_out,
                          cudaStream_t stream);

struct DecodeAttention4Arrays {
  struct MaxArrays {
    const int* position;
    const float* dot;
    float* max_out;
    float* weight_sum_out;
  } max;
  struct DotArrays {
    const int* position;
    const float* dot_in;
    const float* max;
    const float* weight_sum;
    const __nv_bfloat16* cache_0_v;
    __nv_bfloat16* dot_out;
  } dot;
  struct MixedArrays {
    const __nv_bfloat16* params_layers_0_out;
    const __nv_bfloat16* dot;
    __nv_bfloat16* mixed_out;
  } mixed;
  struct RmsNormArrays {
    const __nv_bfloat16* params_embedding;
    const int* tokens;
    const __nv_bfloat16* mixed;
    float* square_sum_out;
  } rms_norm;
  uint32_t* finished;
};

cudaError_t
launch_decode_attention_4(const DecodeAttention4Arrays& arrays, cudaStream_t stream);

struct DecodeAttention5Arrays {
  struct DecodeAttentionArrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_1_norm1;
    const __nv_bfloat16* params_layers_1_q;
    const int* tokens;
    const __nv_bfloat16* mixed;
    const __nv_bfloat16* dot_in;
    const float* square_sum;
    __nv_bfloat16* dot_out;
  } decode_attention;
  struct DecodeAttention2Arrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_1_k;
    const __nv_bfloat16* params_layers_1_norm1;
    const __nv_bfloat16* params_layers_1_v;
    const int* tokens;
    const __nv_bfloat16* mixed;
    const __nv_bfloat16* dot_in;
    const float* square_sum;
    __nv_bfloat16* dot_1_out;
    __nv_bfloat16* dot_2_out;
  } decode_attention_2;
};

cudaError_t
launch_decode_attention_5(const DecodeAttention5Arrays& arrays, cudaStream_t stream);

struct DecodeAttention8Arrays {
  struct MaxArrays {
    const int* position;
    const float* dot;
    float* max_out;
    float* weight_sum_out;
  } max;
  struct DotArrays {
    const int* position;
    const float* dot_in;
    const float* max;
    const float* weight_sum;
    const __nv_bfloat16* cache_1_v;
    __nv_bfloat16* dot_out;
  } dot;
  struct MixedArrays {
    const __nv_bfloat16* params_layers_1_out;
    const __nv_bfloat16* dot;
    __nv_bfloat16* mixed_out;
  } mixed;
  struct RmsNormArrays {
    const __nv_bfloat16* params_embedding;
    const int* tokens;
    const __nv_bfloat16* mixed;
    const __nv_bfloat16* dot;
    const __nv_bfloat16* mixed_1;
    float* square_sum_out;
  } rms_norm;
  uint32_t* finished;
};

cudaError_t
launch_decode_attention_8(const DecodeAttention8Arrays& arrays, cudaStream_t stream);

cudaError_t
launch_llama_decode(const __nv_bfloat16* params_embedding,
                    const __nv_bfloat16* params_layers_0_gate,
                    const __nv_bfloat16* params_layers_0_norm2,
                    const __nv_bfloat16* params_layers_0_up,
                    const int* tokens,
                    const __nv_bfloat16* mixed,
                    const float* square_sum,
                    __nv_bfloat16* y_gate_out,
                    __nv_bfloat16* y_up_out,
                    cudaStream_t stream);

cudaError_t
launch_llama_decode_2(const __nv_bfloat16* params_layers_down,
                      const __nv_bfloat16* y_gate,
                      const __nv_bfloat16* y_up,
                      __nv_bfloat16* dot_out,
                      cudaStream_t stream);

cudaError_t
launch_llama_decode_3(const __nv_bfloat16* params_embedding,
                      const __nv_bfloat16* params_layers_1_gate,
                      const __nv_bfloat16* params_layers_1_norm2,
                      const __nv_bfloat16* params_layers_1_up,
                      const int* tokens,
                      const __nv_bfloat16* mixed,
                      const __nv_bfloat16* dot,
                      const __nv_bfloat16* mixed_1,
                      const float* square_sum,
                      __nv_bfloat16* y_gate_out,
                      __nv_bfloat16* y_up_out,
                      cudaStream_t stream);

cudaError_t
launch_llama_decode_5(const __nv_bfloat16* params_embedding,
                      const __nv_bfloat16* params_norm,
                      const int* tokens,
                      const __nv_bfloat16* mixed,
                      const __nv_bfloat16* dot_in,
                      const __nv_bfloat16* mixed_1,
                      const __nv_bfloat16* dot_1_in,
                      const float* square_sum,
                      __nv_bfloat16* dot_out,
                      cudaStream_t stream);

cudaError_t
launch_llama_decode_6(const __nv_bfloat16* dot,
                      int* argmax_out,
                      float* logits_out,
                      cudaStream_t stream);

struct RmsNormArrays {
  struct RmsNorm2Arrays {
    const __nv_bfloat16* params_embedding;
    const int* tokens;
    float* square_sum_out;
  } rms_norm_2;
  struct RotaryArrays {
    const int* position;
    float* cos_angle;
    float* sin_angle;
  } rotary;
};

cudaError_t
launch_rms_norm(const RmsNormArrays& arrays, cudaStream_t stream);

cudaError_t
launch_rms_norm_2(const __nv_bfloat16* params_embedding,
                  const int* tokens,
                  const __nv_bfloat16* mixed,
                  const __nv_bfloat16* dot,
                  float* square_sum_out,
                  cudaStream_t stream);

cudaError_t
launch_rms_norm_3(const __nv_bfloat16* params_embedding,
                  const int* tokens,
                  const __nv_bfloat16* mixed,
                  const __nv_bfloat16* dot,
                  const __nv_bfloat16* mixed_1,
                  const __nv_bfloat16* dot_1,
                  float* square_sum_out,
                  cudaStream_t stream);

}  // namespace llama_decode_kernels
