// softmax: reduce, exponential, subtract, divide over f32[64,97].
//
//   in   x     f32[64,97]
//   out  div   f32[64,97]
//
//   max         = reduce(x, -inf), dimensions={1}, to_apply=maximum
//   exponential = exponential(x - broadcast(max))
//   sum         = reduce(exponential, 0), dimensions={1}, to_apply=add
//   div         = exponential / broadcast(sum)
//
// A row a warp, 4 rows a block of 128 threads. Reads 24.8 kB, writes 24.8 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace softmax_kernels::softmax {
namespace {

constexpr int kRows = 64;
constexpr int kColumns = 97;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 4

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
softmax(const float* __restrict__ x, float* __restrict__ div) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // max
  float max = -INFINITY;
  float x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      x_values[k] = x[row * kColumns + column];
      max = maximum(max, x_values[k]);
    }
  }
  max = warp_reduce(max, Maximum());

  // exponential, sum
  float sum = 0.0f;
  float exponential_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      exponential_values[k] = expf(x_values[k] - max);
      sum += exponential_values[k];
    }
  }
  sum = warp_reduce(sum, Add());

  // div
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) div[row * kColumns + column] = exponential_values[k] / sum;
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, float* div, cudaStream_t stream) {
  return launch(softmax, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream, x, div);
}

}  // namespace softmax_kernels::softmax
