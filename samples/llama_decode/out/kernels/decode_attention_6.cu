// decode_attention_6: dynamic-update-slice, add, compare, select over bf16[2,32,2,16].
//
//   in   cache_v_in    bf16[2,32,2,16]
//   in   position      s32[]
//   in   dot           bf16[2,32]
//   out  cache_v_out   bf16[2,32,2,16]
//
//   select      = select(position < 0, position + 32, position)
//   start       = clamp(0, select, 31)
//   cache_v_out = cache_v_in, with [:,start,:,:] replaced by reshape(dot, [2,1,2,16])
//
// 64 blocks of 32 threads. Reads 4.2 kB, writes 4.1 kB.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 2048;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
decode_attention_6(const __nv_bfloat16* cache_v_in,
                   const int* __restrict__ position,
                   const __nv_bfloat16* __restrict__ dot,
                   __nv_bfloat16* cache_v_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / 1024;
  const int j = element / 32 % 32;
  const int k = element % 32;

  const int position_value = position[0];
  const int select = position_value < 0 ? position_value + 32 : position_value;
  const int start = minimum(maximum(select, 0), 31);

  cache_v_out[element] = start == j ? dot[i * 32 + k] : cache_v_in[element];
}

}  // namespace

cudaError_t
launch_decode_attention_6(const __nv_bfloat16* cache_v_in,
                          const int* position,
                          const __nv_bfloat16* dot,
                          __nv_bfloat16* cache_v_out,
                          cudaStream_t stream) {
  return launch(decode_attention_6, {.grid = kElements / kThreads, .block = kThreads}, stream,
                cache_v_in, position, dot, cache_v_out);
}

}  // namespace llama_decode_kernels
