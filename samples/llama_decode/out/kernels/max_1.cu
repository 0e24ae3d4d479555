// max_1: compare, multiply, select, reduce, subtract, ... over f32[2,2,2].
//
//   in   position   s32[]
//   in   dot        f32[2,2,2,32]
//   out  max        f32[2,2,2]
//   out  sum        f32[2,2,2]
//
//   le          = compare(iota, broadcast(position))
//   mul         = multiply(dot, 0.25)
//   select      = select(broadcast(le), mul, -inf)
//   max         = reduce(select, -inf), dimensions={3}, to_apply=maximum
//   sub         = subtract(select, broadcast(max))
//   exponential = exponential(sub)
//   sum         = reduce(exponential, 0), dimensions={3}, to_apply=add
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
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 1

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
max_1(const int* __restrict__ position,
      const float* __restrict__ dot,
      float* __restrict__ max,
      float* __restrict__ sum) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const int position_value = position[0];

  // max
  float max_2 = -INFINITY;
  float dot_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    dot_values[k] = dot[row * kColumns + column];
    max_2 = maximum(max_2, column <= position_value ? dot_values[k] * 0.25f : -INFINITY);
  }
  max_2 = warp_reduce(max_2, Maximum());

  // sum
  float sum_1 = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    sum_1 += expf((column <= position_value ? dot_values[k] * 0.25f : -INFINITY) - max_2);
  }
  sum_1 = warp_reduce(sum_1, Add());

  if (lane == 0) {
    max[row] = max_2;
    sum[row] = sum_1;
  }
}

}  // namespace

cudaError_t
launch_max_1(const int* position, const float* dot, float* max, float* sum, cudaStream_t stream) {
  return launch(max_1, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                position, dot, max, sum);
}

}  // namespace llama_decode_kernels
