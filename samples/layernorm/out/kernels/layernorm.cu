// layernorm: reduce, rsqrt, divide, subtract, multiply, ... over f32[64,96].
//
//   in   x       f32[64,96]
//   in   scale   f32[96]
//   in   bias    f32[96]
//   out  add     f32[64,96]
//
//   sum_1       = reduce(x, 0), dimensions={1}, to_apply=add
//   mean        = sum_1 / 96
//   sub         = x - broadcast(mean)
//   sum_2       = reduce(sub * sub, 0), dimensions={1}, to_apply=add
//   rsqrt_value = rsqrt(sum_2 / 96 + 1e-05)
//   add         = sub * broadcast(rsqrt_value) * scale + bias
//
// A row a warp, 4 rows a block of 128 threads. Reads 25.3 kB, writes 24.6 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace layernorm_kernels::layernorm {
namespace {

constexpr int kRows = 64;
constexpr int kColumns = 96;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 3

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
layernorm(const float* __restrict__ x,
          const float* __restrict__ scale,
          const float* __restrict__ bias,
          float* __restrict__ add) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum_1
  float sum_1 = 0.0f;
  float x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    x_values[k] = x[row * kColumns + column];
    sum_1 += x_values[k];
  }
  sum_1 = warp_reduce(sum_1, Add());
  const float mean = sum_1 / Divisor(96.0f);

  // sum_2
  float sum_2 = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const float sub = x_values[k] - mean;
    sum_2 += sub * sub;
  }
  sum_2 = warp_reduce(sum_2, Add());
  const float rsqrt_value = rsqrtf(sum_2 / UncheckedDivisor(96.0f) + 1e-5f);

  // add
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    add[row * kColumns + column] =
        fmaf((x_values[k] - mean) * rsqrt_value, scale[column], bias[column]);
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* scale, const float* bias, float* add, cudaStream_t stream) {
  return launch(layernorm, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                x, scale, bias, add);
}

}  // namespace layernorm_kernels::layernorm
