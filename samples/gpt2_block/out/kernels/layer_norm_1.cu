// layer_norm_1: reduce, divide, subtract, multiply over f32[2,16].
//
//   in   x           f32[2,16,48]
//   out  sum_1_out   f32[2,16]
//   out  sum_2_out   f32[2,16]
//
//   sum_1_out = reduce(x, 0), dimensions={2}, to_apply=add
//   mean      = sum_1_out / 48
//   sub       = x - broadcast(mean)
//   sum_2_out = reduce(sub * sub, 0), dimensions={2}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 6.1 kB, writes 256 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace gpt2_block_kernels::layer_norm_1 {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 48;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 2

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
layer_norm_1(const float* __restrict__ x,
             float* __restrict__ sum_1_out,
             float* __restrict__ sum_2_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum_1
  float sum_1 = 0.0f;
  float x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      x_values[k] = x[row * kColumns + column];
      sum_1 += x_values[k];
    }
  }
  sum_1 = warp_reduce(sum_1, Add());
  const float mean = sum_1 / Divisor(48.0f);

  // sum_2
  float sum_2 = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      const float sub = x_values[k] - mean;
      sum_2 += sub * sub;
    }
  }
  sum_2 = warp_reduce(sum_2, Add());

  if (lane == 0) {
    sum_1_out[row] = sum_1;
    sum_2_out[row] = sum_2;
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, float* sum_1_out, float* sum_2_out, cudaStream_t stream) {
  return launch(layer_norm_1, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                x, sum_1_out, sum_2_out);
}

}  // namespace gpt2_block_kernels::layer_norm_1
