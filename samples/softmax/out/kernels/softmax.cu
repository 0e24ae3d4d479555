// softmax: reduce, exponential, subtract, divide over f32[64,97].
//
//   in   x             f32[64,97]
//   out  probability   f32[64,97]
//
//   x_max       = reduce(x, -inf), dimensions={1}, to_apply=maximum
//   weight      = exponential(x - broadcast(x_max))
//   weight_sum  = reduce(weight, 0), dimensions={1}, to_apply=add
//   probability = weight / broadcast(weight_sum)
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
softmax(const float* __restrict__ x, float* __restrict__ probability) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // x_max
  float x_max = -INFINITY;
  float x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      x_values[k] = x[row * kColumns + column];
      x_max = maximum(x_max, x_values[k]);
    }
  }
  x_max = warp_reduce(x_max, Maximum());

  // weight, weight_sum
  float weight_sum = 0.0f;
  float weight_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      weight_values[k] = expf(x_values[k] - x_max);
      weight_sum += weight_values[k];
    }
  }
  weight_sum = warp_reduce(weight_sum, Add());

  // probability
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) probability[row * kColumns + column] = weight_values[k] / weight_sum;
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, float* probability, cudaStream_t stream) {
  return launch(softmax, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                x, probability);
}

}  // namespace softmax_kernels::softmax
