// decode_attention_1: 2 computations, in one launch that divides its blocks among them.
//
//   normalised_q   4 blocks   dot, gather, rsqrt, add, divide, ... over bf16[2,64]
//   normalised_v   2 blocks   dot, gather, rsqrt, add, divide, ... over bf16[2,32]
//
// 6 blocks of 32 threads.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels {
namespace {

// normalised_q: dot, gather, rsqrt, add, divide, ... over bf16[2,64].
//
//   in   params_embedding        bf16[128,64]
//   in   params_layers_0_norm1   bf16[64]
//   in   params_layers_0_q       bf16[64,64]
//   in   tokens                  s32[2]
//   in   square_sum              f32[2]
//   out  normalised_q_out        bf16[2,64]
//
//   wrapped_tokens   = select(tokens < 0, tokens + 128, tokens)
//   start            = clamp(0, wrapped_tokens, 127)
//   inverse          = rsqrt(square_sum / 64 + 1e-05)
//   normalised_bf16  = bf16(f32(gather(params_embedding, start)) * broadcast(inverse))
//   normalised_q_out = dot(normalised_bf16 * params_layers_0_norm1, params_layers_0_q)
//
// 4 blocks of 32 threads. Reads 8.6 kB, writes 256 B.
namespace normalised_q {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const DecodeAttention1Arrays::NormalisedQArrays& arrays) {
  const __nv_bfloat16* __restrict__ params_embedding = arrays.params_embedding;
  const __nv_bfloat16* __restrict__ params_layers_0_norm1 = arrays.params_layers_0_norm1;
  const __nv_bfloat16* __restrict__ params_layers_0_q = arrays.params_layers_0_q;
  const int* __restrict__ tokens = arrays.tokens;
  const float* __restrict__ square_sum = arrays.square_sum;
  __nv_bfloat16* __restrict__ normalised_q_out = arrays.normalised_q_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / 64;
  const int column = element % 64;

  // llama_decode
  const int tokens_value = tokens[row];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(wrapped_tokens, 0), 127);

  // rms_norm
  const float inverse = rsqrtf(square_sum[row] / 64.0f + 1e-5f);

  // decode_attention
  float sum = 0.0f;
  for (int k = 0; k < 64; ++k) {
    const __nv_bfloat16 normalised_bf16 =
        to_bfloat16(to_float(params_embedding[start * 64 + k]) * inverse);
    sum = fmaf(to_float(to_bfloat16(to_float(normalised_bf16) *
                                    to_float(params_layers_0_norm1[k]))),
               to_float(params_layers_0_q[k * 64 + column]), sum);
  }
  const __nv_bfloat16 normalised_q_1 = to_bfloat16(sum);

  normalised_q_out[element] = normalised_q_1;
}

}  // namespace normalised_q

// normalised_v: dot, gather, rsqrt, add, divide, ... over bf16[2,32].
//
//   in   params_embedding        bf16[128,64]
//   in   params_layers_0_k       bf16[64,32]
//   in   params_layers_0_norm1   bf16[64]
//   in   params_layers_0_v       bf16[64,32]
//   in   tokens                  s32[2]
//   in   square_sum              f32[2]
//   out  normalised_k_out        bf16[2,32]
//   out  normalised_v_out        bf16[2,32]
//
//   wrapped_tokens    = select(tokens < 0, tokens + 128, tokens)
//   start             = clamp(0, wrapped_tokens, 127)
//   inverse           = rsqrt(square_sum / 64 + 1e-05)
//   normalised_bf16_1 = bf16(f32(gather(params_embedding, start)) * broadcast(inverse))
//   normalised        = normalised_bf16_1 * params_layers_0_norm1
//   normalised_k_out  = dot(normalised, params_layers_0_k)
//   normalised_v_out  = dot(normalised, params_layers_0_v)
//
// 2 blocks of 32 threads. Reads 8.8 kB, writes 256 B.
namespace normalised_v {

constexpr int kElements = 64;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const DecodeAttention1Arrays::NormalisedVArrays& arrays) {
  const __nv_bfloat16* __restrict__ params_embedding = arrays.params_embedding;
  const __nv_bfloat16* __restrict__ params_layers_0_k = arrays.params_layers_0_k;
  const __nv_bfloat16* __restrict__ params_layers_0_norm1 = arrays.params_layers_0_norm1;
  const __nv_bfloat16* __restrict__ params_layers_0_v = arrays.params_layers_0_v;
  const int* __restrict__ tokens = arrays.tokens;
  const float* __restrict__ square_sum = arrays.square_sum;
  __nv_bfloat16* __restrict__ normalised_k_out = arrays.normalised_k_out;
  __nv_bfloat16* __restrict__ normalised_v_out = arrays.normalised_v_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / 32;
  const int column = element % 32;

  // llama_decode
  const int tokens_value = tokens[row];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(wrapped_tokens, 0), 127);

  // rms_norm
  const float inverse = rsqrtf(square_sum[row] / 64.0f + 1e-5f);

  // decode_attention
  float sum_1 = 0.0f;
  for (int k = 0; k < 64; ++k) {
    const __nv_bfloat16 normalised_bf16_1 =
        to_bfloat16(to_float(params_embedding[start * 64 + k]) * inverse);
    sum_1 = fmaf(to_float(to_bfloat16(to_float(normalised_bf16_1) *
                                      to_float(params_layers_0_norm1[k]))),
                 to_float(params_layers_0_k[k * 32 + column]), sum_1);
  }
  const __nv_bfloat16 normalised_k = to_bfloat16(sum_1);
  float sum_2 = 0.0f;
  for (int k = 0; k < 64; ++k) {
    const __nv_bfloat16 normalised_bf16_2 =
        to_bfloat16(to_float(params_embedding[start * 64 + k]) * inverse);
    sum_2 = fmaf(to_float(to_bfloat16(to_float(normalised_bf16_2) *
                                      to_float(params_layers_0_norm1[k]))),
                 to_float(params_layers_0_v[k * 32 + column]), sum_2);
  }
  const __nv_bfloat16 normalised_v_1 = to_bfloat16(sum_2);

  normalised_k_out[element] = normalised_k;
  normalised_v_out[element] = normalised_v_1;
}

}  // namespace normalised_v

constexpr int kThreads = 32;
constexpr int kBlocks = normalised_q::kBlocks + normalised_v::kBlocks;

__global__ void __launch_bounds__(kThreads)
decode_attention_1(const __grid_constant__ DecodeAttention1Arrays arrays) {
  int block = blockIdx.x;
  if (block < normalised_q::kBlocks) {
    normalised_q::run(block, arrays.normalised_q);
    return;
  }
  block -= normalised_q::kBlocks;
  normalised_v::run(block, arrays.normalised_v);
}

}  // namespace

cudaError_t
launch_decode_attention_1(const DecodeAttention1Arrays& arrays, cudaStream_t stream) {
  return launch(decode_attention_1, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace llama_decode_kernels
