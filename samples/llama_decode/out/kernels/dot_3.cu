// dot_3: convert, multiply, subtract, add, dot over f32[2,2,2,32].
//
//   in   dot                      bf16[2,64]
//   in   cosine                   f32[8]
//   in   sine                     f32[8]
//   in   dynamic_update_slice_1   bf16[2,32,2,16]
//   out  dot                      f32[2,2,2,32]
//
//   convert_element_type_1 = convert(dot)
//   mul_1                  = multiply(slice(convert_element_type_1), broadcast(cosine))
//   mul_2                  = multiply(slice(convert_element_type_1), broadcast(sine))
//   sub                    = subtract(mul_1, mul_2)
//   mul_3                  = multiply(slice(convert_element_type_1), broadcast(cosine))
//   mul_4                  = multiply(slice(convert_element_type_1), broadcast(sine))
//   add                    = add(mul_3, mul_4)
//   concatenate            = concatenate(sub, add)
//   convert_element_type_2 = convert(concatenate)
//   dot                    = dot(convert_element_type_2, dynamic-update-slice(cache_0_k))
//
// 8 blocks of 32 threads. Reads 4.4 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 256;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dot_3(const __nv_bfloat16* __restrict__ dot_in,
      const float* __restrict__ cosine,
      const float* __restrict__ sine,
      const __nv_bfloat16* __restrict__ dynamic_update_slice_1,
      float* __restrict__ dot_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 128;
  const int j = element / 64 % 2;
  const int k = element / 32 % 2;
  const int l = element % 32;

  float dot = 0.0f;
  for (int k_1 = 0; k_1 < 16; ++k_1) {
    const int index = i * 64 + j * 32 + k * 16 + k_1;
    float concatenate;
    if (k_1 < 8) {
      const float mul_1 = to_float(dot_in[index]) * cosine[k_1];
      concatenate = fmaf(-to_float(dot_in[index + 8]), sine[k_1], mul_1);
    } else {
      const float mul_2 = to_float(dot_in[index]) * cosine[k_1 - 8];
      concatenate = fmaf(to_float(dot_in[index - 8]), sine[k_1 - 8], mul_2);
    }
    dot = fmaf(to_float(to_bfloat16(concatenate)),
               to_float(dynamic_update_slice_1[i * 1024 + l * 32 + j * 16 + k_1]), dot);
  }

  dot_out[element] = dot;
}

}  // namespace

cudaError_t
launch_dot_3(const __nv_bfloat16* dot_in,
             const float* cosine,
             const float* sine,
             const __nv_bfloat16* dynamic_update_slice_1,
             float* dot_out,
             cudaStream_t stream) {
  return launch(dot_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                dot_in, cosine, sine, dynamic_update_slice_1, dot_out);
}

}  // namespace llama_decode_kernels
