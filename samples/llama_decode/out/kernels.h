// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels {

namespace decode_attention {
struct DecodeAttentionArrays {
  struct DecodeAttention9Arrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_0_norm1;
    const __nv_bfloat16* params_layers_0_q;
    const int* tokens;
    const float* x_square_sum;
    __nv_bfloat16* decode_attention_9_out;
  } decode_attention_9;
  struct DecodeAttention10Arrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_0_k;
    const __nv_bfloat16* params_layers_0_norm1;
    const __nv_bfloat16* params_layers_0_v;
    const int* tokens;
    const float* x_square_sum;
    __nv_bfloat16* dot_out;
    __nv_bfloat16* dot_2_out;
  } decode_attention_10;
};

cudaError_t
enqueue(const DecodeAttentionArrays& arrays, cudaStream_t stream);
}  // namespace decode_attention

namespace decode_attention_2 {
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
enqueue(const DecodeAttention2Arrays& arrays, cudaStream_t stream);
}  // namespace decode_attention_2

namespace decode_attention_3 {
cudaError_t
enqueue(const __nv_bfloat16* decode_attention, const float* cos_angle, const float* sin_angle,
        const __nv_bfloat16* cache_k, float* unscaled_scores_out, cudaStream_t stream);
}  // namespace decode_attention_3

namespace decode_attention_4 {
struct DecodeAttention4Arrays {
  struct ScoresMaxArrays {
    const int* position;
    const float* unscaled_scores;
    float* scores_max_out;
    float* weight_sum_out;
  } scores_max;
  struct DotArrays {
    const int* position;
    const float* unscaled_scores;
    const float* scores_max;
    const float* weight_sum;
    const __nv_bfloat16* cache_0_v;
    __nv_bfloat16* dot_3_out;
  } dot;
  struct MixedArrays {
    const __nv_bfloat16* params_layers_0_out;
    const __nv_bfloat16* dot_3;
    __nv_bfloat16* mixed_out;
  } mixed;
  struct RmsNorm3Arrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_0_norm2;
    const int* tokens;
    const __nv_bfloat16* mixed;
    __nv_bfloat16* y;
  } rms_norm_3;
  uint32_t* finished;
};

cudaError_t
enqueue(const DecodeAttention4Arrays& arrays, cudaStream_t stream);
}  // namespace decode_attention_4

namespace decode_attention_5 {
struct DecodeAttention5Arrays {
  struct DecodeAttention9Arrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_1_norm1;
    const __nv_bfloat16* params_layers_1_q;
    const int* tokens;
    const __nv_bfloat16* mixed;
    const __nv_bfloat16* dot_4;
    const float* x_square_sum_2;
    __nv_bfloat16* decode_attention_10_out;
  } decode_attention_9;
  struct DecodeAttention10Arrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_1_k;
    const __nv_bfloat16* params_layers_1_norm1;
    const __nv_bfloat16* params_layers_1_v;
    const int* tokens;
    const __nv_bfloat16* mixed;
    const __nv_bfloat16* dot_4;
    const float* x_square_sum_2;
    __nv_bfloat16* dot_5_out;
    __nv_bfloat16* dot_6_out;
  } decode_attention_10;
};

cudaError_t
enqueue(const DecodeAttention5Arrays& arrays, cudaStream_t stream);
}  // namespace decode_attention_5

namespace decode_attention_8 {
struct DecodeAttention8Arrays {
  struct ScoresMaxArrays {
    const int* position;
    const float* unscaled_scores_2;
    float* scores_max_2_out;
    float* weight_sum_2_out;
  } scores_max;
  struct DotArrays {
    const int* position;
    const float* unscaled_scores_2;
    const float* scores_max_2;
    const float* weight_sum_2;
    const __nv_bfloat16* cache_1_v;
    __nv_bfloat16* dot_7_out;
  } dot;
  struct LlamaDecode6Arrays {
    const __nv_bfloat16* params_embedding;
    const __nv_bfloat16* params_layers_1_out;
    const int* tokens;
    const __nv_bfloat16* mixed;
    const __nv_bfloat16* dot_4;
    const __nv_bfloat16* dot_7;
    __nv_bfloat16* x;
  } llama_decode_6;
  struct RmsNorm3Arrays {
    const __nv_bfloat16* params_layers_1_norm2;
    const __nv_bfloat16* x;
    __nv_bfloat16* y_2;
  } rms_norm_3;
  uint32_t* finished;
};

cudaError_t
enqueue(const DecodeAttention8Arrays& arrays, cudaStream_t stream);
}  // namespace decode_attention_8

namespace llama_decode {
cudaError_t
enqueue(const __nv_bfloat16* params_layers_up, const __nv_bfloat16* y, __nv_bfloat16* y_up_out,
        cudaStream_t stream);
}  // namespace llama_decode

namespace llama_decode_2 {
cudaError_t
enqueue(const __nv_bfloat16* params_layers_0_down, const __nv_bfloat16* params_layers_0_gate,
        const __nv_bfloat16* y, const __nv_bfloat16* y_up, __nv_bfloat16* dot_4,
        cudaStream_t stream);
}  // namespace llama_decode_2

namespace llama_decode_4 {
cudaError_t
enqueue(const __nv_bfloat16* params_embedding, const __nv_bfloat16* params_layers_1_down,
        const __nv_bfloat16* params_layers_1_gate, const __nv_bfloat16* params_norm,
        const __nv_bfloat16* x, const __nv_bfloat16* y_2, const __nv_bfloat16* y_up_2,
        __nv_bfloat16* dot_8, cudaStream_t stream);
}  // namespace llama_decode_4

namespace llama_decode_5 {
cudaError_t
enqueue(const __nv_bfloat16* dot_8, int* argmax_out, float* logits_out, cudaStream_t stream);
}  // namespace llama_decode_5

namespace rms_norm {
struct RmsNormArrays {
  struct RmsNorm3Arrays {
    const __nv_bfloat16* params_embedding;
    const int* tokens;
    float* x_square_sum_out;
  } rms_norm_3;
  struct RotaryArrays {
    const int* position;
    float* cos_angle;
    float* sin_angle;
  } rotary;
};

cudaError_t
enqueue(const RmsNormArrays& arrays, cudaStream_t stream);
}  // namespace rms_norm

namespace rms_norm_2 {
cudaError_t
enqueue(const __nv_bfloat16* params_embedding, const int* tokens, const __nv_bfloat16* mixed,
        const __nv_bfloat16* dot_4, float* x_square_sum_2_out, cudaStream_t stream);
}  // namespace rms_norm_2

}  // namespace llama_decode_kernels
