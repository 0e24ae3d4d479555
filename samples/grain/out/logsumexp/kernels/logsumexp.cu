// logsumexp: reduce, exponential, log, subtract, add, ... over f32[64].
//
//   in   x   f32[64,97]
//   out  y   f32[64]
//
//   top   = reduce(x, -inf), dimensions={1}, to_apply=maximum
//   shift = select(is-finite(top), top, 0)
//   y_1   = reduce(exponential(x - broadcast(shift)), 0), dimensions={1}, to_apply=add
//   y     = log(y_1) + shift
//
// A row a warp, 4 rows a block of 128 threads. Reads 24.8 kB, writes 256 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace logsumexp_kernels::logsumexp {
namespace {

constexpr int kRows = 64;
constexpr int kColumns = 97;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 4

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
logsumexp(const float* __restrict__ x, float* __restrict__ y) {
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
  const float shift = isfinite(top) ? top : 0.0f;

  // y_1
  float y_1 = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) y_1 += expf(x_values[k] - shift);
  }
  y_1 = warp_reduce(y_1, Add());

  if (lane == 0) y[row] = logf(y_1) + shift;
}

}  // namespace

cudaError_t
enqueue(const float* x, float* y, cudaStream_t stream) {
  return launch(logsumexp, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream, x, y);
}

}  // namespace logsumexp_kernels::logsumexp
