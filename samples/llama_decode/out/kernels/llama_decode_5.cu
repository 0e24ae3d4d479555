// llama_decode_5: dot, gather, rsqrt, add, divide, ... over bf16[2,128].
//
//   in   params_embedding   bf16[128,64]
//   in   params_norm        bf16[64]
//   in   tokens             s32[2]
//   in   mixed              bf16[2,64]
//   in   dot_4              bf16[2,64]
//   in   mixed_2            bf16[2,64]
//   in   dot_8              bf16[2,64]
//   in   x_square_sum_3     f32[2]
//   out  dot_9_out          bf16[2,128]
//
//   wrapped_tokens = select(tokens < 0, tokens + 128, tokens)
//   start          = clamp(0, wrapped_tokens, 127)
//   x_1            = gather(params_embedding, start) + mixed
//   x_2            = x_1 + dot_4 + mixed_2
//   inverse        = rsqrt(x_square_sum_3 / 64 + 1e-05)
//   as_bf16        = bf16(f32(x_2 + dot_8) * broadcast(inverse))
//   dot_9_out      = dot(as_bf16 * params_norm, transpose(params_embedding))
//
// 8 blocks of 32 threads. Reads 17.6 kB, writes 512 B.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels::llama_decode_5 {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 128;
constexpr int kElements = kRows * kColumns;  // 256
constexpr int kTerms = 64;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
llama_decode_5(const __nv_bfloat16* __restrict__ params_embedding,
               const __nv_bfloat16* __restrict__ params_norm,
               const int* __restrict__ tokens,
               const __nv_bfloat16* __restrict__ mixed,
               const __nv_bfloat16* __restrict__ dot_4,
               const __nv_bfloat16* __restrict__ mixed_2,
               const __nv_bfloat16* __restrict__ dot_8,
               const float* __restrict__ x_square_sum_3,
               __nv_bfloat16* __restrict__ dot_9_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int tokens_value = tokens[row];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(wrapped_tokens, 0), 127);

  // rms_norm
  const float inverse = rsqrtf(x_square_sum_3[row] / 64.0f + 1e-5f);

  float sum = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int index = row * kTerms + k;

    const __nv_bfloat16 x_1 = __hadd_rn(params_embedding[start * kTerms + k], mixed[index]);
    const __nv_bfloat16 x_2 = __hadd_rn(__hadd_rn(x_1, dot_4[index]), mixed_2[index]);

    // rms_norm
    const __nv_bfloat16 as_bf16 = to_bfloat16(to_float(__hadd_rn(x_2, dot_8[index])) * inverse);
    sum = fmaf(to_float(__hmul_rn(as_bf16, params_norm[k])),
               to_float(params_embedding[column * kTerms + k]), sum);
  }
  const __nv_bfloat16 dot_9 = to_bfloat16(sum);

  dot_9_out[element] = dot_9;
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* params_embedding, const __nv_bfloat16* params_norm, const int* tokens,
        const __nv_bfloat16* mixed, const __nv_bfloat16* dot_4, const __nv_bfloat16* mixed_2,
        const __nv_bfloat16* dot_8, const float* x_square_sum_3, __nv_bfloat16* dot_9_out,
        cudaStream_t stream) {
  return launch(llama_decode_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_embedding, params_norm, tokens, mixed, dot_4, mixed_2, dot_8, x_square_sum_3,
                dot_9_out);
}

}  // namespace llama_decode_kernels::llama_decode_5
