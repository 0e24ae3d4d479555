// dot_15: compare, add, select, convert, divide, ... over bf16[2,128].
//
//   in   params_embedding   bf16[128,64]
//   in   params_norm        bf16[64]
//   in   tokens             s32[2]
//   in   dot                bf16[2,64]
//   in   dot                bf16[2,64]
//   in   dot                bf16[2,64]
//   in   dot                bf16[2,64]
//   in   sum                f32[2]
//   out  dot                bf16[2,128]
//
//   llama_decode  compare, add, select, dot
//   rms_norm      convert, divide, add, rsqrt, multiply
//
// 8 blocks of 32 threads. Reads 17.6 kB, writes 512 B.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 256;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dot_15(const __nv_bfloat16* __restrict__ params_embedding,
       const __nv_bfloat16* __restrict__ params_norm,
       const int* __restrict__ tokens,
       const __nv_bfloat16* __restrict__ dot_in,
       const __nv_bfloat16* __restrict__ dot_in_1,
       const __nv_bfloat16* __restrict__ dot_in_2,
       const __nv_bfloat16* __restrict__ dot_in_3,
       const float* __restrict__ sum,
       __nv_bfloat16* __restrict__ dot_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 128;
  const int column = element % 128;

  // llama_decode
  const int tokens_value = tokens[row];
  const int select = tokens_value < 0 ? tokens_value + 128 : tokens_value;
  const int start = minimum(maximum(select, 0), 127);

  // rms_norm
  const float rms_norm = rsqrtf(sum[row] / 64.0f + 1e-5f);

  // llama_decode
  float sum_1 = 0.0f;
  for (int k = 0; k < 64; ++k) {
    const int index = row * 64 + k;

    // llama_decode
    const __nv_bfloat16 params_embedding_value = params_embedding[start * 64 + k];
    const __nv_bfloat16 add_1 =
        to_bfloat16(to_float(params_embedding_value) + to_float(dot_in[index]));
    const __nv_bfloat16 add_2 = to_bfloat16(to_float(add_1) + to_float(dot_in_1[index]));
    const __nv_bfloat16 add_3 = to_bfloat16(to_float(add_2) + to_float(dot_in_2[index]));

    // rms_norm
    const float convert_element_type_1 =
        to_float(to_bfloat16(to_float(add_3) + to_float(dot_in_3[index])));
    const __nv_bfloat16 convert_element_type_2 = to_bfloat16(convert_element_type_1 * rms_norm);
    sum_1 = fmaf(to_float(to_bfloat16(to_float(convert_element_type_2) * to_float(params_norm[k]))),
                 to_float(params_embedding[column * 64 + k]), sum_1);
  }
  const __nv_bfloat16 dot = to_bfloat16(sum_1);

  dot_out[element] = dot;
}

}  // namespace

cudaError_t
launch_dot_15(const __nv_bfloat16* params_embedding,
              const __nv_bfloat16* params_norm,
              const int* tokens,
              const __nv_bfloat16* dot_in,
              const __nv_bfloat16* dot_in_1,
              const __nv_bfloat16* dot_in_2,
              const __nv_bfloat16* dot_in_3,
              const float* sum,
              __nv_bfloat16* dot_out,
              cudaStream_t stream) {
  return launch(dot_15, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_embedding, params_norm, tokens, dot_in, dot_in_1, dot_in_2, dot_in_3, sum,
                dot_out);
}

}  // namespace llama_decode_kernels
