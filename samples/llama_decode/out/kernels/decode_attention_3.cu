// decode_attention_3: dynamic-update-slice, multiply, subtract, add, ... over bf16[2,32,2,16].
//
//   in   cache_k_in    bf16[2,32,2,16]
//   in   position      s32[]
//   in   dot           bf16[2,32]
//   in   cosine        f32[8]
//   in   sine          f32[8]
//   out  cache_k_out   bf16[2,32,2,16]
//
//   convert_element_type = f32(reshape(dot, [2,2,16]))
//   mul_1                = convert_element_type[:,:,0:8] * cosine
//   sub                  = mul_1 - convert_element_type[:,:,8:16] * sine
//   mul_2                = convert_element_type[:,:,8:16] * cosine
//   concatenate          = concatenate(sub, mul_2 + convert_element_type[:,:,0:8] * sine),
//                          dimensions={2}
//   select               = select(position < 0, position + 32, position)
//   start                = clamp(0, select, 31)
//   cache_k_out          = cache_k_in, with [:,start,:,:] replaced by bf16(concatenate)
//
// 64 blocks of 32 threads. Reads 4.3 kB, writes 4.1 kB.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 2048;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
decode_attention_3(const __nv_bfloat16* cache_k_in,
                   const int* __restrict__ position,
                   const __nv_bfloat16* __restrict__ dot,
                   const float* __restrict__ cosine,
                   const float* __restrict__ sine,
                   __nv_bfloat16* cache_k_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 1024;
  const int j = element / 32 % 32;
  const int k = element / 16 % 2;
  const int l = element % 16;

  const int index = i * 32 + k * 16 + l;
  const int position_value = position[0];
  const int select = position_value < 0 ? position_value + 32 : position_value;
  const int start = minimum(maximum(select, 0), 31);
  __nv_bfloat16 cache_k_next;
  if (start == j) {
    float concatenate;
    if (l < 8) {
      const float mul_1 = to_float(dot[index]) * cosine[l];
      concatenate = fmaf(-to_float(dot[index + 8]), sine[l], mul_1);
    } else {
      const float mul_2 = to_float(dot[index]) * cosine[l - 8];
      concatenate = fmaf(to_float(dot[index - 8]), sine[l - 8], mul_2);
    }
    cache_k_next = to_bfloat16(concatenate);
  } else {
    cache_k_next = cache_k_in[element];
  }

  cache_k_out[element] = cache_k_next;
}

}  // namespace

cudaError_t
launch_decode_attention_3(const __nv_bfloat16* cache_k_in,
                          const int* position,
                          const __nv_bfloat16* dot,
                          const float* cosine,
                          const float* sine,
                          __nv_bfloat16* cache_k_out,
                          cudaStream_t stream) {
  return launch(decode_attention_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                cache_k_in, position, dot, cosine, sine, cache_k_out);
}

}  // namespace llama_decode_kernels
