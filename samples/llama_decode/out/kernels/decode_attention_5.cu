// decode_attention_5: dot, exponential, multiply, subtract, divide, ... over bf16[2,2,2,16].
//
//   in   position   s32[]
//   in   dot_in     f32[2,2,2,32]
//   in   max        f32[2,2,2]
//   in   sum        f32[2,2,2]
//   in   cache_v    bf16[2,32,2,16]
//   out  dot_out    bf16[2,2,2,16]
//
//   mul         = dot_in * 0.25
//   exponential = exponential(select(iota() <= position, mul, -inf) - broadcast(max))
//   div         = exponential / broadcast(sum)
//   dot_out     = dot(bf16(div), cache_v), einsum=abcd,adbe->abce
//
// 4 blocks of 32 threads. Reads 5.2 kB, writes 256 B.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
decode_attention_5(const int* __restrict__ position,
                   const float* __restrict__ dot_in,
                   const float* __restrict__ max,
                   const float* __restrict__ sum,
                   const __nv_bfloat16* __restrict__ cache_v,
                   __nv_bfloat16* __restrict__ dot_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 64;
  const int j = element / 32 % 2;
  const int k = element / 16 % 2;
  const int l = element % 16;

  const int index = i * 4 + j * 2 + k;
  const float max_value = max[index];
  const float sum_value = sum[index];
  const int position_value = position[0];
  float sum_1 = 0.0f;
  for (int k_1 = 0; k_1 < 32; ++k_1) {
    const float mul = dot_in[i * 128 + j * 64 + k * 32 + k_1] * 0.25f;
    const float div = expf((k_1 <= position_value ? mul : -INFINITY) - max_value) / sum_value;
    sum_1 = fmaf(to_float(to_bfloat16(div)), to_float(cache_v[i * 1024 + k_1 * 32 + j * 16 + l]),
                 sum_1);
  }
  const __nv_bfloat16 dot_next = to_bfloat16(sum_1);

  dot_out[element] = dot_next;
}

}  // namespace

cudaError_t
launch_decode_attention_5(const int* position,
                          const float* dot_in,
                          const float* max,
                          const float* sum,
                          const __nv_bfloat16* cache_v,
                          __nv_bfloat16* dot_out,
                          cudaStream_t stream) {
  return launch(decode_attention_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                position, dot_in, max, sum, cache_v, dot_out);
}

}  // namespace llama_decode_kernels
