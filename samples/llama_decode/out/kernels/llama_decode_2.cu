// llama_decode_2: dot, exponential, negate, add, divide, ... over bf16[2,64].
//
//   in   params_layers_down   bf16[96,64]
//   in   y_gate               bf16[2,96]
//   in   y_up                 bf16[2,96]
//   out  x_term_out           bf16[2,64]
//
//   exponential = exponential(-y_gate)
//   sigmoid     = 1 / (exponential + 1)
//   x_term_out  = dot(y_gate * sigmoid * y_up, params_layers_down)
//
// 4 blocks of 32 threads. Reads 13.1 kB, writes 256 B.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels::llama_decode_2 {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 64;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kTerms = 96;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
llama_decode_2(const __nv_bfloat16* __restrict__ params_layers_down,
               const __nv_bfloat16* __restrict__ y_gate,
               const __nv_bfloat16* __restrict__ y_up,
               __nv_bfloat16* __restrict__ x_term_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float sum = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int index = row * kTerms + k;
    const __nv_bfloat16 y_gate_value = y_gate[index];
    const __nv_bfloat16 exponential = to_bfloat16(expf(to_float(__hneg(y_gate_value))));
    const __nv_bfloat16 sigmoid =
        to_bfloat16(1.0f / to_float(__hadd_rn(exponential, to_bfloat16(1.0f))));
    sum = fmaf(to_float(__hmul_rn(__hmul_rn(y_gate_value, sigmoid), y_up[index])),
               to_float(params_layers_down[k * kColumns + column]), sum);
  }
  const __nv_bfloat16 x_term = to_bfloat16(sum);

  x_term_out[element] = x_term;
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* params_layers_down, const __nv_bfloat16* y_gate,
        const __nv_bfloat16* y_up, __nv_bfloat16* x_term_out, cudaStream_t stream) {
  return launch(llama_decode_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_layers_down, y_gate, y_up, x_term_out);
}

}  // namespace llama_decode_kernels::llama_decode_2
