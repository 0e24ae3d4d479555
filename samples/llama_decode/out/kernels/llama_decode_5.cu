// llama_decode_5: reduce, convert, compare, and, or, ... over f32[2,128].
//
//   in   dot_8        bf16[2,128]
//   out  argmax_out   s32[2]
//   out  logits_out   f32[2,128]
//
//   logits_out = f32(dot_8)
//   max        = reduce(logits_out, -inf), dimensions={1}, to_apply=maximum
//   is_nan     = isnan(max)
//   either     = logits_out == broadcast(max) or isnan(logits_out) and broadcast(is_nan)
//   argmax_out = reduce(select(either, iota(), 127), 2147483647), dimensions={1}, to_apply=minimum
//
// A row a warp, 2 rows a block of 64 threads. Reads 512 B, writes 1.0 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace llama_decode_kernels::llama_decode_5 {
namespace {

constexpr int kRows = 2;
constexpr int kColumns = 128;
constexpr int kThreads = 64;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 4
constexpr int kWidth = 4;                                   // neighbours, in one access

static_assert(kColumns % (kWarp * kWidth) == 0, "the threads cover a row exactly");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
llama_decode_5(const __nv_bfloat16* __restrict__ dot_8,
               int* __restrict__ argmax_out,
               float* __restrict__ logits_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // max, logits_out
  float max = -INFINITY;
  __nv_bfloat16 dot_8_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    const Vector<__nv_bfloat16, kWidth> dot_8_vector =
        load_vector<kWidth>(dot_8 + (row * kColumns + first_column));
    Vector<float, kWidth> logits_vector;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      dot_8_values[k + i] = dot_8_vector[i];
      const float logits_1 = to_float(dot_8_values[k + i]);
      logits_vector[i] = logits_1;
      max = maximum(max, logits_1);
    }
    store_vector(logits_out + (row * kColumns + first_column), logits_vector);
  }
  max = warp_reduce(max, Maximum());
  const bool is_nan = isnan(max);

  // argmax
  int argmax = INT32_MAX;
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const int column = first_column + i;
      const float logits_2 = to_float(dot_8_values[k + i]);
      argmax =
          minimum(argmax, logits_2 == max || (isnan(logits_2) && is_nan) ? column : kColumns - 1);
    }
  }
  argmax = warp_reduce(argmax, Minimum());

  if (lane == 0) argmax_out[row] = argmax;
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* dot_8, int* argmax_out, float* logits_out, cudaStream_t stream) {
  return launch(llama_decode_5, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                dot_8, argmax_out, logits_out);
}

}  // namespace llama_decode_kernels::llama_decode_5
