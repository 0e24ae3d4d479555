// logsumexp: reduce, exponential, log, subtract, abs, ... over f32[64].
//
//   in   x             f32[64,97]
//   out  log_sum_exp   f32[64]
//
//   x_max       = reduce(x, -inf), dimensions={1}, to_apply=maximum
//   masked      = select(is-finite(x_max), x_max, 0)
//   weight_sum  = reduce(exponential(x - broadcast(masked)), 0), dimensions={1}, to_apply=add
//   log_sum_exp = log(abs(weight_sum)) + masked
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
logsumexp(const float* __restrict__ x, float* __restrict__ log_sum_exp) {
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
  const float masked = isfinite(x_max) ? x_max : 0.0f;

  // weight_sum
  float weight_sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) weight_sum += expf(x_values[k] - masked);
  }
  weight_sum = warp_reduce(weight_sum, Add());

  if (lane == 0) log_sum_exp[row] = logf(fabsf(weight_sum)) + masked;
}

}  // namespace

cudaError_t
enqueue(const float* x, float* log_sum_exp, cudaStream_t stream) {
  return launch(logsumexp, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                x, log_sum_exp);
}

}  // namespace logsumexp_kernels::logsumexp
