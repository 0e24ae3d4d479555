// llama_decode: dot over bf16[2,96].
//
//   in   params_layers_up   bf16[64,96]
//   in   y                  bf16[2,64]
//   out  y_up_out           bf16[2,96]
//
//   y_up_out = dot(y, params_layers_up)
//
// 6 blocks of 32 threads. Reads 12.5 kB, writes 384 B.
// Launched in 2 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/half.cuh"
#include "device/launch.cuh"

namespace llama_decode_kernels::llama_decode {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 96;
constexpr int kElements = kRows * kColumns;  // 192
constexpr int kTerms = 64;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
llama_decode(const __nv_bfloat16* __restrict__ params_layers_up,
             const __nv_bfloat16* __restrict__ y,
             __nv_bfloat16* __restrict__ y_up_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float sum = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    sum =
        fmaf(to_float(y[row * kTerms + k]), to_float(params_layers_up[k * kColumns + column]), sum);
  }
  const __nv_bfloat16 y_up = to_bfloat16(sum);

  y_up_out[element] = y_up;
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* params_layers_up, const __nv_bfloat16* y, __nv_bfloat16* y_up_out,
        cudaStream_t stream) {
  return launch(llama_decode, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_layers_up, y, y_up_out);
}

}  // namespace llama_decode_kernels::llama_decode
