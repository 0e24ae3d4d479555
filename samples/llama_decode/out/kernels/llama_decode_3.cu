// llama_decode_3: dot, gather, rsqrt, add, divide, ... over bf16[2,96].
//
//   in   params_embedding        bf16[128,64]
//   in   params_layers_1_gate    bf16[64,96]
//   in   params_layers_1_norm2   bf16[64]
//   in   params_layers_1_up      bf16[64,96]
//   in   tokens                  s32[2]
//   in   mixed                   bf16[2,64]
//   in   x_term                  bf16[2,64]
//   in   mixed_2                 bf16[2,64]
//   in   x_square_sum_4          f32[2]
//   out  y_gate_2_out            bf16[2,96]
//   out  y_up_2_out              bf16[2,96]
//
//   wrapped_tokens = select(tokens < 0, tokens + 128, tokens)
//   start          = clamp(0, wrapped_tokens, 127)
//   x              = gather(params_embedding, start) + mixed
//   wide           = f32(x + x_term + mixed_2)
//   inverse        = rsqrt(x_square_sum_4 / 64 + 1e-05)
//   y              = bf16(wide * broadcast(inverse)) * params_layers_1_norm2
//   y_gate_2_out   = dot(y, params_layers_1_gate)
//   y_up_2_out     = dot(y, params_layers_1_up)
//
// 6 blocks of 32 threads. Reads 26.0 kB, writes 768 B.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels::llama_decode_3 {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 96;
constexpr int kElements = kRows * kColumns;  // 192
constexpr int kTerms = 64;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
llama_decode_3(const __nv_bfloat16* __restrict__ params_embedding,
               const __nv_bfloat16* __restrict__ params_layers_1_gate,
               const __nv_bfloat16* __restrict__ params_layers_1_norm2,
               const __nv_bfloat16* __restrict__ params_layers_1_up,
               const int* __restrict__ tokens,
               const __nv_bfloat16* __restrict__ mixed,
               const __nv_bfloat16* __restrict__ x_term,
               const __nv_bfloat16* __restrict__ mixed_2,
               const float* __restrict__ x_square_sum_4,
               __nv_bfloat16* __restrict__ y_gate_2_out,
               __nv_bfloat16* __restrict__ y_up_2_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int tokens_value = tokens[row];
  const int wrapped_tokens = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(wrapped_tokens, 0), 127);

  // rms_norm
  const float inverse = rsqrtf(x_square_sum_4[row] / 64.0f + 1e-5f);

  float sum_1 = 0.0f;
  float sum_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int index = row * kTerms + k;

    const __nv_bfloat16 x = __hadd_rn(params_embedding[start * kTerms + k], mixed[index]);

    // rms_norm
    const float wide = to_float(__hadd_rn(__hadd_rn(x, x_term[index]), mixed_2[index]));
    const float factor = to_float(__hmul_rn(to_bfloat16(wide * inverse), params_layers_1_norm2[k]));
    sum_1 = fmaf(factor, to_float(params_layers_1_gate[k * kColumns + column]), sum_1);
    sum_2 = fmaf(factor, to_float(params_layers_1_up[k * kColumns + column]), sum_2);
  }
  const __nv_bfloat16 y_gate_2 = to_bfloat16(sum_1);
  const __nv_bfloat16 y_up_2 = to_bfloat16(sum_2);

  y_gate_2_out[element] = y_gate_2;
  y_up_2_out[element] = y_up_2;
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* params_embedding, const __nv_bfloat16* params_layers_1_gate,
        const __nv_bfloat16* params_layers_1_norm2, const __nv_bfloat16* params_layers_1_up,
        const int* tokens, const __nv_bfloat16* mixed, const __nv_bfloat16* x_term,
        const __nv_bfloat16* mixed_2, const float* x_square_sum_4, __nv_bfloat16* y_gate_2_out,
        __nv_bfloat16* y_up_2_out, cudaStream_t stream) {
  return launch(llama_decode_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_embedding, params_layers_1_gate, params_layers_1_norm2, params_layers_1_up,
                tokens, mixed, x_term, mixed_2, x_square_sum_4, y_gate_2_out, y_up_2_out);
}

}  // namespace llama_decode_kernels::llama_decode_3
