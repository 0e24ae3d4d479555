// decode_attention_4: reduce, exponential, multiply, subtract, compare, ... over f32[2,2,2].
//
//   in   position   s32[]
//   in   dot        f32[2,2,2,32]
//   out  max_out    f32[2,2,2]
//   out  sum_out    f32[2,2,2]
//
//   select  = select(iota() <= position, dot * 0.25, -inf)
//   max_out = reduce(select, -inf), dimensions={3}, to_apply=maximum
//   sum_out = reduce(exponential(select - broadcast(max_out)), 0), dimensions={3}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 1.0 kB, writes 64 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace llama_decode_kernels {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 32;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
decode_attention_4(const int* __restrict__ position,
                   const float* __restrict__ dot,
                   float* __restrict__ max_out,
                   float* __restrict__ sum_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int column = threadIdx.x % kWarp;

  const int position_value = position[0];

  // max
  float max = -INFINITY;
  const float dot_value = dot[row * kColumns + column];
  max = maximum(max, column <= position_value ? dot_value * 0.25f : -INFINITY);
  max = warp_reduce(max, Maximum());

  // sum
  float sum = 0.0f;
  sum += expf((column <= position_value ? dot_value * 0.25f : -INFINITY) - max);
  sum = warp_reduce(sum, Add());

  if (column == 0) {
    max_out[row] = max;
    sum_out[row] = sum;
  }
}

}  // namespace

cudaError_t
launch_decode_attention_4(const int* position,
                          const float* dot,
                          float* max_out,
                          float* sum_out,
                          cudaStream_t stream) {
  return launch(decode_attention_4, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                position, dot, max_out, sum_out);
}

}  // namespace llama_decode_kernels
