// dot_7: negate, exponential, add, divide, multiply, ... over bf16[2,64].
//
//   in   params_layers_0_down   bf16[96,64]
//   in   dot                    bf16[2,96]
//   in   dot                    bf16[2,96]
//   out  dot                    bf16[2,64]
//
//   neg         = negate(dot)
//   exponential = exponential(neg)
//   add         = add(exponential, 1)
//   div         = divide(1, add)
//   mul_1       = multiply(dot, div)
//   mul_2       = multiply(mul_1, dot)
//   dot         = dot(mul_2, params_layers_0_down)
//
// 4 blocks of 32 threads. Reads 13.1 kB, writes 256 B.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dot_7(const __nv_bfloat16* __restrict__ params_layers_0_down,
      const __nv_bfloat16* __restrict__ dot_in,
      const __nv_bfloat16* __restrict__ dot_in_1,
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
    sum = fmaf(to_float(to_bfloat16(to_float(mul) * to_float(dot_in_1[index]))),
               to_float(params_layers_0_down[k * 64 + column]), sum);
  }
  const __nv_bfloat16 dot = to_bfloat16(sum);

  dot_out[element] = dot;
}

}  // namespace

cudaError_t
launch_dot_7(const __nv_bfloat16* params_layers_0_down,
             const __nv_bfloat16* dot_in,
             const __nv_bfloat16* dot_in_1,
             __nv_bfloat16* dot_out,
             cudaStream_t stream) {
  return launch(dot_7, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_layers_0_down, dot_in, dot_in_1, dot_out);
}

}  // namespace llama_decode_kernels
