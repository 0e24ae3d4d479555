// llama_decode_3: dot, gather, rsqrt, add, divide, ... over bf16[2,96].
//
//   in   params_embedding        bf16[128,64]
//   in   params_layers_1_gate    bf16[64,96]
//   in   params_layers_1_norm2   bf16[64]
//   in   params_layers_1_up      bf16[64,96]
//   in   tokens                  s32[2]
//   in   dot_in                  bf16[2,64]
//   in   dot_1_in                bf16[2,64]
//   in   dot_2_in                bf16[2,64]
//   in   sum                     f32[2]
//   out  dot_1_out               bf16[2,96]
//   out  dot_2_out               bf16[2,96]
//
//   select                 = select(tokens < 0, tokens + 128, tokens)
//   start                  = clamp(0, select, 127)
//   add_1                  = gather(params_embedding, start) + dot_in
//   add_2                  = add_1 + dot_1_in
//   convert_element_type_1 = f32(add_2 + dot_2_in)
//   rms_norm               = rsqrt(sum / 64 + 1e-05)
//   convert_element_type_2 = bf16(convert_element_type_1 * broadcast(rms_norm))
//   mul                    = convert_element_type_2 * params_layers_1_norm2
//   dot_1_out              = dot(mul, params_layers_1_gate)
//   dot_2_out              = dot(mul, params_layers_1_up)
//
// 6 blocks of 32 threads. Reads 26.0 kB, writes 768 B.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 192;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
llama_decode_3(const __nv_bfloat16* __restrict__ params_embedding,
               const __nv_bfloat16* __restrict__ params_layers_1_gate,
               const __nv_bfloat16* __restrict__ params_layers_1_norm2,
               const __nv_bfloat16* __restrict__ params_layers_1_up,
               const int* __restrict__ tokens,
               const __nv_bfloat16* __restrict__ dot_in,
               const __nv_bfloat16* __restrict__ dot_1_in,
               const __nv_bfloat16* __restrict__ dot_2_in,
               const float* __restrict__ sum,
               __nv_bfloat16* __restrict__ dot_1_out,
               __nv_bfloat16* __restrict__ dot_2_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 96;
  const int column = element % 96;

  // llama_decode
  const int tokens_value = tokens[row];
  const int select = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(select, 0), 127);

  // rms_norm
  const float rms_norm = rsqrtf(sum[row] / 64.0f + 1e-5f);

  // llama_decode
  float sum_1 = 0.0f;
  for (int k = 0; k < 64; ++k) {
    const int index_1 = row * 64 + k;

    // llama_decode
    const __nv_bfloat16 params_embedding_value_1 = params_embedding[start * 64 + k];
    const __nv_bfloat16 add_1 =
        to_bfloat16(to_float(params_embedding_value_1) + to_float(dot_in[index_1]));
    const __nv_bfloat16 add_2 = to_bfloat16(to_float(add_1) + to_float(dot_1_in[index_1]));

    // rms_norm
    const float convert_element_type_1 =
        to_float(to_bfloat16(to_float(add_2) + to_float(dot_2_in[index_1])));
    const __nv_bfloat16 convert_element_type_2 = to_bfloat16(convert_element_type_1 * rms_norm);
    sum_1 = fmaf(to_float(to_bfloat16(to_float(convert_element_type_2) *
                                      to_float(params_layers_1_norm2[k]))),
                 to_float(params_layers_1_gate[k * 96 + column]), sum_1);
  }
  const __nv_bfloat16 dot_1_next = to_bfloat16(sum_1);
  float sum_2 = 0.0f;
  for (int k = 0; k < 64; ++k) {
    const int index_2 = row * 64 + k;

    // llama_decode
    const __nv_bfloat16 params_embedding_value_2 = params_embedding[start * 64 + k];
    const __nv_bfloat16 add_3 =
        to_bfloat16(to_float(params_embedding_value_2) + to_float(dot_in[index_2]));
    const __nv_bfloat16 add_4 = to_bfloat16(to_float(add_3) + to_float(dot_1_in[index_2]));

    // rms_norm
    const float convert_element_type_3 =
        to_float(to_bfloat16(to_float(add_4) + to_float(dot_2_in[index_2])));
    const __nv_bfloat16 convert_element_type_4 = to_bfloat16(convert_element_type_3 * rms_norm);
    sum_2 = fmaf(to_float(to_bfloat16(to_float(convert_element_type_4) *
                                      to_float(params_layers_1_norm2[k]))),
                 to_float(params_layers_1_up[k * 96 + column]), sum_2);
  }
  const __nv_bfloat16 dot_2_next = to_bfloat16(sum_2);

  dot_1_out[element] = dot_1_next;
  dot_2_out[element] = dot_2_next;
}

}  // namespace

cudaError_t
launch_llama_decode_3(const __nv_bfloat16* params_embedding,
                      const __nv_bfloat16* params_layers_1_gate,
                      const __nv_bfloat16* params_layers_1_norm2,
                      const __nv_bfloat16* params_layers_1_up,
                      const int* tokens,
                      const __nv_bfloat16* dot_in,
                      const __nv_bfloat16* dot_1_in,
                      const __nv_bfloat16* dot_2_in,
                      const float* sum,
                      __nv_bfloat16* dot_1_out,
                      __nv_bfloat16* dot_2_out,
                      cudaStream_t stream) {
  return launch(llama_decode_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_embedding, params_layers_1_gate, params_layers_1_norm2, params_layers_1_up,
                tokens, dot_in, dot_1_in, dot_2_in, sum, dot_1_out, dot_2_out);
}

}  // namespace llama_decode_kernels
