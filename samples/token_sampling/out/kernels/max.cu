// max: reduce, subtract, exponential over f32[8].
//
//   in   top_k   f32[8,40]
//   out  max     f32[8]
//   out  sum     f32[8]
//
//   max         = reduce(top_k, -inf), dimensions={1}, to_apply=maximum
//   sub         = subtract(top_k, broadcast(max))
//   exponential = exponential(sub)
//   sum         = reduce(exponential, 0), dimensions={1}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 1.3 kB, writes 64 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace token_sampling_kernels {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 40;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 2

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
max(const float* __restrict__ top_k, float* __restrict__ max_out, float* __restrict__ sum) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // max
  float max_1 = -INFINITY;
  float top_k_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      top_k_values[k] = top_k[row * kColumns + column];
      max_1 = maximum(max_1, top_k_values[k]);
    }
  }
  max_1 = warp_reduce(max_1, Maximum());

  // sum
  float sum_1 = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) sum_1 += expf(top_k_values[k] - max_1);
  }
  sum_1 = warp_reduce(sum_1, Add());

  if (lane == 0) {
    max_out[row] = max_1;
    sum[row] = sum_1;
  }
}

}  // namespace

cudaError_t
launch_max(const float* top_k, float* max_out, float* sum, cudaStream_t stream) {
  return launch(max, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                top_k, max_out, sum);
}

}  // namespace token_sampling_kernels
