// decode_attention: 2 computations, in one launch that divides its blocks among them.
//
//   decode_attention_9    4 blocks   dot, gather, rsqrt, divide, add, ... over bf16[2,64]
//   decode_attention_10   2 blocks   dot, gather, rsqrt, divide, add, ... over bf16[2,32]
//
// 6 blocks of 32 threads.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels::decode_attention {
namespace {

// decode_attention_9: dot, gather, rsqrt, divide, add, ... over bf16[2,64].
//
//   in   params_embedding         bf16[128,64]
//   in   params_layers_0_norm1    bf16[64]
//   in   params_layers_0_q        bf16[64,64]
//   in   tokens                   s32[2]
//   in   x_square_sum             f32[2]
//   out  decode_attention_9_out   bf16[2,64]
//
//   wrapped_tokens         = select(tokens < 0, tokens + 128, tokens)
//   start                  = clamp(0, wrapped_tokens, 127)
//   inverse                = rsqrt(x_square_sum / 64 + 1e-05)
//   normalised             = f32(gather(params_embedding, start)) * broadcast(inverse)
//   decode_attention_9_out = dot(bf16(normalised) * params_layers_0_norm1, params_layers_0_q)
//
// 4 blocks of 32 threads. Reads 8.6 kB, writes 256 B.
namespace decode_attention_9 {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kTerms = 64;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const DecodeAttentionArrays::DecodeAttention9Arrays& arrays) {
  const __nv_bfloat16* __restrict__ params_embedding = arrays.params_embedding;
  const __nv_bfloat16* __restrict__ params_layers_0_norm1 = arrays.params_layers_0_norm1;
  const __nv_bfloat16* __restrict__ params_layers_0_q = arrays.params_layers_0_q;
  const int* __restrict__ tokens = arrays.tokens;
  const float* __restrict__ x_square_sum = arrays.x_square_sum;
  __nv_bfloat16* __restrict__ decode_attention_9_out = arrays.decode_attention_9_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int tokens_value = tokens[row];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(wrapped_tokens, 0), 127);

  // rms_norm
  const float inverse = rsqrtf(x_square_sum[row] / 64.0f + 1e-5f);

  float sum = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const float normalised = to_float(params_embedding[start * kTerms + k]) * inverse;
    sum = fmaf(to_float(__hmul_rn(to_bfloat16(normalised), params_layers_0_norm1[k])),
               to_float(params_layers_0_q[k * kColumns + column]), sum);
  }
  const __nv_bfloat16 decode_attention_9 = to_bfloat16(sum);

  decode_attention_9_out[element] = decode_attention_9;
}

}  // namespace decode_attention_9

// decode_attention_10: dot, gather, rsqrt, divide, add, ... over bf16[2,32].
//
//   in   params_embedding        bf16[128,64]
//   in   params_layers_0_k       bf16[64,32]
//   in   params_layers_0_norm1   bf16[64]
//   in   params_layers_0_v       bf16[64,32]
//   in   tokens                  s32[2]
//   in   x_square_sum            f32[2]
//   out  dot_out                 bf16[2,32]
//   out  dot_2_out               bf16[2,32]
//
//   wrapped_tokens = select(tokens < 0, tokens + 128, tokens)
//   start          = clamp(0, wrapped_tokens, 127)
//   inverse        = rsqrt(x_square_sum / 64 + 1e-05)
//   normalised     = f32(gather(params_embedding, start)) * broadcast(inverse)
//   normalised_1   = bf16(normalised) * params_layers_0_norm1
//   dot_out        = dot(normalised_1, params_layers_0_k)
//   dot_2_out      = dot(normalised_1, params_layers_0_v)
//
// 2 blocks of 32 threads. Reads 8.8 kB, writes 256 B.
namespace decode_attention_10 {

constexpr int kRows = 2;
constexpr int kColumns = 32;
constexpr int kElements = kRows * kColumns;  // 64
constexpr int kTerms = 64;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const DecodeAttentionArrays::DecodeAttention10Arrays& arrays) {
  const __nv_bfloat16* __restrict__ params_embedding = arrays.params_embedding;
  const __nv_bfloat16* __restrict__ params_layers_0_k = arrays.params_layers_0_k;
  const __nv_bfloat16* __restrict__ params_layers_0_norm1 = arrays.params_layers_0_norm1;
  const __nv_bfloat16* __restrict__ params_layers_0_v = arrays.params_layers_0_v;
  const int* __restrict__ tokens = arrays.tokens;
  const float* __restrict__ x_square_sum = arrays.x_square_sum;
  __nv_bfloat16* __restrict__ dot_out = arrays.dot_out;
  __nv_bfloat16* __restrict__ dot_2_out = arrays.dot_2_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int tokens_value = tokens[row];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(wrapped_tokens, 0), 127);

  // rms_norm
  const float inverse = rsqrtf(x_square_sum[row] / 64.0f + 1e-5f);

  float sum_1 = 0.0f;
  float sum_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const float normalised = to_float(params_embedding[start * kTerms + k]) * inverse;
    const float factor = to_float(__hmul_rn(to_bfloat16(normalised), params_layers_0_norm1[k]));
    sum_1 = fmaf(factor, to_float(params_layers_0_k[k * kColumns + column]), sum_1);
    sum_2 = fmaf(factor, to_float(params_layers_0_v[k * kColumns + column]), sum_2);
  }
  const __nv_bfloat16 dot = to_bfloat16(sum_1);
  const __nv_bfloat16 dot_2 = to_bfloat16(sum_2);

  dot_out[element] = dot;
  dot_2_out[element] = dot_2;
}

}  // namespace decode_attention_10

constexpr int kThreads = 32;
constexpr int kBlocks = decode_attention_9::kBlocks + decode_attention_10::kBlocks;

__global__ void __launch_bounds__(kThreads)
decode_attention(const __grid_constant__ DecodeAttentionArrays arrays) {
  int block = blockIdx.x;
  if (block < decode_attention_9::kBlocks) {
    decode_attention_9::run(block, arrays.decode_attention_9);
    return;
  }
  block -= decode_attention_9::kBlocks;
  decode_attention_10::run(block, arrays.decode_attention_10);
}

}  // namespace

cudaError_t
enqueue(const DecodeAttentionArrays& arrays, cudaStream_t stream) {
  return launch(decode_attention, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace llama_decode_kernels::decode_attention
