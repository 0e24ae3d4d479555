// decode_attention_6: dot over bf16[2,64].
//
//   in   params_layers_out   bf16[64,64]
//   in   dot_in              bf16[2,2,2,16]
//   out  dot_out             bf16[2,64]
//
//   dot_out = dot(reshape(dot_in, [2,64]), params_layers_out)
//
// 4 blocks of 32 threads. Reads 8.4 kB, writes 256 B.
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
decode_attention_6(const __nv_bfloat16* __restrict__ params_layers_out,
                   const __nv_bfloat16* __restrict__ dot_in,
                   __nv_bfloat16* __restrict__ dot_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 64;
  const int column = element % 64;

  float sum = 0.0f;
  for (int k = 0; k < 64; ++k) {
    sum = fmaf(to_float(dot_in[row * 64 + k]), to_float(params_layers_out[k * 64 + column]), sum);
  }
  const __nv_bfloat16 dot_next = to_bfloat16(sum);

  dot_out[element] = dot_next;
}

}  // namespace

cudaError_t
launch_decode_attention_6(const __nv_bfloat16* params_layers_out,
                          const __nv_bfloat16* dot_in,
                          __nv_bfloat16* dot_out,
                          cudaStream_t stream) {
  return launch(decode_attention_6, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_layers_out, dot_in, dot_out);
}

}  // namespace llama_decode_kernels
