// dynamic_update_slice_1: convert, multiply, subtract, add, compare, ... over bf16[2,32,2,16].
//
//   in   cache_0_k                bf16[2,32,2,16]
//   in   position                 s32[]
//   in   dot                      bf16[2,32]
//   in   cosine                   f32[8]
//   in   sine                     f32[8]
//   out  dynamic_update_slice_1   bf16[2,32,2,16]
//
//   convert_element_type_1 = convert(dot)
//   mul_1                  = multiply(slice(convert_element_type_1), broadcast(cosine))
//   mul_2                  = multiply(slice(convert_element_type_1), broadcast(sine))
//   sub                    = subtract(mul_1, mul_2)
//   mul_3                  = multiply(slice(convert_element_type_1), broadcast(cosine))
//   mul_4                  = multiply(slice(convert_element_type_1), broadcast(sine))
//   add_1                  = add(mul_3, mul_4)
//   concatenate            = concatenate(sub, add_1)
//   convert_element_type_2 = convert(concatenate)
//   lt                     = compare(position, 0)
//   add_2                  = add(position, 32)
//   select                 = select(lt, add_2, position)
//
// 64 blocks of 32 threads. Reads 4.3 kB, writes 4.1 kB.

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
dynamic_update_slice_1(const __nv_bfloat16* cache_0_k,
                       const int* __restrict__ position,
                       const __nv_bfloat16* __restrict__ dot,
                       const float* __restrict__ cosine,
                       const float* __restrict__ sine,
                       __nv_bfloat16* dynamic_update_slice_1_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 1024;
  const int j = element / 32 % 32;
  const int k = element / 16 % 2;
  const int l = element % 16;

  const int index = i * 32 + k * 16 + l;
  const int position_value = position[0];
  const int select = position_value < 0 ? position_value + 32 : position_value;
  const int start = minimum(maximum(select, 0), 31);
  __nv_bfloat16 dynamic_update_slice;
  if (start == j) {
    float concatenate;
    if (l < 8) {
      const float mul_1 = to_float(dot[index]) * cosine[l];
      concatenate = fmaf(-to_float(dot[index + 8]), sine[l], mul_1);
    } else {
      const float mul_2 = to_float(dot[index]) * cosine[l - 8];
      concatenate = fmaf(to_float(dot[index - 8]), sine[l - 8], mul_2);
    }
    dynamic_update_slice = to_bfloat16(concatenate);
  } else {
    dynamic_update_slice = cache_0_k[element];
  }

  dynamic_update_slice_1_out[element] = dynamic_update_slice;
}

}  // namespace

cudaError_t
launch_dynamic_update_slice_1(const __nv_bfloat16* cache_0_k,
                              const int* position,
                              const __nv_bfloat16* dot,
                              const float* cosine,
                              const float* sine,
                              __nv_bfloat16* dynamic_update_slice_1_out,
                              cudaStream_t stream) {
  return launch(dynamic_update_slice_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                cache_0_k, position, dot, cosine, sine, dynamic_update_slice_1_out);
}

}  // namespace llama_decode_kernels
