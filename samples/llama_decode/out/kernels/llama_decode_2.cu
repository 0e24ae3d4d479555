// llama_decode_2: dot, exponential, negate, add, divide, ... over bf16[2,64].
//
//   in   params_layers_down   bf16[96,64]
//   in   dot_in               bf16[2,96]
//   in   dot_1_in             bf16[2,96]
//   out  dot_out              bf16[2,64]
//
//   exponential = exponential(-dot_in)
//   add         = exponential + 1
//   div         = 1 / add
//   mul         = dot_in * div
//   dot_out     = dot(mul * dot_1_in, params_layers_down)
//
// 4 blocks of 32 threads. Reads 13.1 kB, writes 256 B.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels::llama_decode_2 {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
llama_decode_2(const __nv_bfloat16* __restrict__ params_layers_down,
               const __nv_bfloat16* __restrict__ dot_in,
               const __nv_bfloat16* __restrict__ dot_1_in,
               __nv_bfloat16* __restrict__ dot_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 64;
  const int column = element % 64;

  float sum = 0.0f;
  for (int k = 0; k < 96; ++k) {
    const int index = row * 96 + k;
    const __nv_bfloat16 dot_value = dot_in[index];
    const __nv_bfloat16 exponential =
        to_bfloat16(expf(to_float(to_bfloat16(-to_float(dot_value)))));
    const __nv_bfloat16 add = to_bfloat16(to_float(exponential) + 1.0f);
    const __nv_bfloat16 div = to_bfloat16(1.0f / to_float(add));
    const __nv_bfloat16 mul = to_bfloat16(to_float(dot_value) * to_float(div));
    sum = fmaf(to_float(to_bfloat16(to_float(mul) * to_float(dot_1_in[index]))),
               to_float(params_layers_down[k * 64 + column]), sum);
  }
  const __nv_bfloat16 dot_next = to_bfloat16(sum);

  dot_out[element] = dot_next;
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* params_layers_down,
        const __nv_bfloat16* dot_in,
        const __nv_bfloat16* dot_1_in,
        __nv_bfloat16* dot_out,
        cudaStream_t stream) {
  return launch(llama_decode_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_layers_down, dot_in, dot_1_in, dot_out);
}

}  // namespace llama_decode_kernels::llama_decode_2
