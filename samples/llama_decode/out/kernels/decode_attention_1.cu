// decode_attention_1: dot, gather, rsqrt, add, divide, ... over bf16[2,64].
//
//   in   params_embedding        bf16[128,64]
//   in   params_layers_0_norm1   bf16[64]
//   in   params_layers_0_q       bf16[64,64]
//   in   tokens                  s32[2]
//   in   sum                     f32[2]
//   out  dot_out                 bf16[2,64]
//
//   select               = select(tokens < 0, tokens + 128, tokens)
//   start                = clamp(0, select, 127)
//   rms_norm             = rsqrt(sum / 64 + 1e-05)
//   convert_element_type = bf16(f32(gather(params_embedding, start)) * broadcast(rms_norm))
//   dot_out              = dot(convert_element_type * params_layers_0_norm1, params_layers_0_q)
//
// 4 blocks of 32 threads. Reads 24.7 kB, writes 256 B.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
decode_attention_1(const __nv_bfloat16* __restrict__ params_embedding,
                   const __nv_bfloat16* __restrict__ params_layers_0_norm1,
                   const __nv_bfloat16* __restrict__ params_layers_0_q,
                   const int* __restrict__ tokens,
                   const float* __restrict__ sum,
                   __nv_bfloat16* __restrict__ dot_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 64;
  const int column = element % 64;

  // llama_decode
  const int tokens_value = tokens[row];
  const int select = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(select, 0), 127);

  // rms_norm
  const float rms_norm = rsqrtf(sum[row] / 64.0f + 1e-5f);

  // decode_attention
  float sum_1 = 0.0f;
  for (int k = 0; k < 64; ++k) {
    const __nv_bfloat16 convert_element_type =
        to_bfloat16(to_float(params_embedding[start * 64 + k]) * rms_norm);
    sum_1 = fmaf(to_float(to_bfloat16(to_float(convert_element_type) *
                                      to_float(params_layers_0_norm1[k]))),
                 to_float(params_layers_0_q[k * 64 + column]), sum_1);
  }
  const __nv_bfloat16 dot = to_bfloat16(sum_1);

  dot_out[element] = dot;
}

}  // namespace

cudaError_t
launch_decode_attention_1(const __nv_bfloat16* params_embedding,
                          const __nv_bfloat16* params_layers_0_norm1,
                          const __nv_bfloat16* params_layers_0_q,
                          const int* tokens,
                          const float* sum,
                          __nv_bfloat16* dot_out,
                          cudaStream_t stream) {
  return launch(decode_attention_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_embedding, params_layers_0_norm1, params_layers_0_q, tokens, sum, dot_out);
}

}  // namespace llama_decode_kernels
