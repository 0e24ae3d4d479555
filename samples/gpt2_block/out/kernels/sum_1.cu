// sum_1: reduce, divide, subtract, multiply over f32[2,16].
//
//   in   x     f32[2,16,48]
//   out  sum   f32[2,16]
//   out  sum   f32[2,16]
//
//   sum_1  = reduce(x, 0), dimensions={2}, to_apply=add
//   div    = divide(sum_1, 48)
//   sub    = subtract(x, broadcast(div))
//   square = multiply(sub, sub)
//   sum_2  = reduce(square, 0), dimensions={2}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 6.1 kB, writes 256 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace gpt2_block_kernels {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 48;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 2

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
sum_1(const float* __restrict__ x, float* __restrict__ sum_out, float* __restrict__ sum_out_1) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum
  float sum_2 = 0.0f;
  float x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      x_values[k] = x[row * kColumns + column];
      sum_2 += x_values[k];
    }
  }
  sum_2 = warp_reduce(sum_2, Add());
  const float div = sum_2 / 48.0f;

  // sum
  float sum_3 = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      const float sub = x_values[k] - div;
      sum_3 += sub * sub;
    }
  }
  sum_3 = warp_reduce(sum_3, Add());

  if (lane == 0) {
    sum_out[row] = sum_2;
    sum_out_1[row] = sum_3;
  }
}

}  // namespace

cudaError_t
launch_sum_1(const float* x, float* sum_out, float* sum_out_1, cudaStream_t stream) {
  return launch(sum_1, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                x, sum_out, sum_out_1);
}

}  // namespace gpt2_block_kernels
