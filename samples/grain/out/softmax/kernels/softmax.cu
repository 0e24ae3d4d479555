// softmax: reduce, exponential, subtract, divide over f32[64,97].
//
//   in   x       f32[64,97]
//   out  probs   f32[64,97]
//
//   top     = reduce(x, -inf), dimensions={1}, to_apply=maximum
//   e       = exponential(x - broadcast(top))
//   probs_1 = reduce(e, 0), dimensions={1}, to_apply=add
//   probs   = e / broadcast(probs_1)
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
softmax(const float* __restrict__ x, float* __restrict__ probs) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // top
  float top = -INFINITY;
  float x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      x_values[k] = x[row * kColumns + column];
      top = maximum(top, x_values[k]);
    }
  }
  top = warp_reduce(top, Maximum());

  // e, probs_1
  float probs_1 = 0.0f;
  float e_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      e_values[k] = expf(x_values[k] - top);
      probs_1 += e_values[k];
    }
  }
  probs_1 = warp_reduce(probs_1, Add());

  // probs
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) probs[row * kColumns + column] = e_values[k] / probs_1;
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, float* probs, cudaStream_t stream) {
  return launch(softmax, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream, x, probs);
}

}  // namespace softmax_kernels::softmax
