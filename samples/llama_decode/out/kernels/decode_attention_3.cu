// decode_attention_3: dot, multiply, subtract, add, convert over f32[2,2,2,32].
//
//   in   decode_attention      bf16[2,64]
//   in   cos_angle             f32[8]
//   in   sin_angle             f32[8]
//   in   cache_k               bf16[2,32,2,16]
//   out  unscaled_scores_out   f32[2,2,2,32]
//
//   as_float            = f32(reshape(decode_attention, [2,4,16]))
//   product_1           = as_float[:,:,0:8] * cos_angle
//   difference          = product_1 - as_float[:,:,8:16] * sin_angle
//   product_2           = as_float[:,:,8:16] * cos_angle
//   joined              = concatenate(difference, product_2 + as_float[:,:,0:8] * sin_angle),
//                         dimensions={2}
//   unscaled_scores_out = dot(reshape(bf16(joined), [2,2,2,16]), cache_k), einsum=abcd,aebd->abce
//
// 8 blocks of 32 threads. Reads 4.4 kB, writes 1.0 kB.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels::decode_attention_3 {
namespace {

constexpr int kI = 2;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kL = 32;
constexpr int kElements = kI * kJ * kK * kL;  // 256
constexpr int kTerms = 16;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
decode_attention_3(const __nv_bfloat16* __restrict__ decode_attention,
                   const float* __restrict__ cos_angle,
                   const float* __restrict__ sin_angle,
                   const __nv_bfloat16* __restrict__ cache_k,
                   float* __restrict__ unscaled_scores_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK * kL);
  const int j = element / (kK * kL) % kJ;
  const int k = element / kL % kK;
  const int l = element % kL;

  float unscaled_scores = 0.0f;
  for (int k_1 = 0; k_1 < kTerms; ++k_1) {
    const int index = ((i * kJ + j) * kK + k) * kTerms + k_1;
    float joined;
    if (k_1 < 8) {
      const float product_1 = to_float(decode_attention[index]) * cos_angle[k_1];
      joined = fmaf(-to_float(decode_attention[index + 8]), sin_angle[k_1], product_1);
    } else {
      const float as_float = to_float(decode_attention[index - 8]);
      const float product_2 = to_float(decode_attention[index]) * cos_angle[k_1 - 8];
      joined = fmaf(as_float, sin_angle[k_1 - 8], product_2);
    }
    unscaled_scores = fmaf(to_float(to_bfloat16(joined)),
                           to_float(cache_k[((i * kL + l) * kJ + j) * kTerms + k_1]),
                           unscaled_scores);
  }

  unscaled_scores_out[element] = unscaled_scores;
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* decode_attention, const float* cos_angle, const float* sin_angle,
        const __nv_bfloat16* cache_k, float* unscaled_scores_out, cudaStream_t stream) {
  return launch(decode_attention_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                decode_attention, cos_angle, sin_angle, cache_k, unscaled_scores_out);
}

}  // namespace llama_decode_kernels::decode_attention_3
