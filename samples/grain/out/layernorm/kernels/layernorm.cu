// layernorm: reduce, rsqrt, divide, subtract, multiply, ... over f32[64,96].
//
//   in   x       f32[64,96]
//   in   scale   f32[96]
//   in   bias    f32[96]
//   out  y       f32[64,96]
//
//   centre_1   = reduce(x, 0), dimensions={1}, to_apply=add
//   centre_2   = centre_1 / 96
//   variance_2 = x - broadcast(centre_2)
//   variance_1 = reduce(variance_2 * variance_2, 0), dimensions={1}, to_apply=add
//   y_1        = rsqrt(variance_1 / 96 + 1e-05)
//   y          = variance_2 * broadcast(y_1) * scale + bias
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
          float* __restrict__ y) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // centre_1
  float centre_1 = 0.0f;
  float x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    x_values[k] = x[row * kColumns + column];
    centre_1 += x_values[k];
  }
  centre_1 = warp_reduce(centre_1, Add());
  const float centre_2 = centre_1 / Divisor(96.0f);

  // variance_1
  float variance_1 = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const float variance_2 = x_values[k] - centre_2;
    variance_1 += variance_2 * variance_2;
  }
  variance_1 = warp_reduce(variance_1, Add());
  const float y_1 = rsqrtf(variance_1 / UncheckedDivisor(96.0f) + 1e-5f);

  // y
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    y[row * kColumns + column] = fmaf((x_values[k] - centre_2) * y_1, scale[column], bias[column]);
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* scale, const float* bias, float* y, cudaStream_t stream) {
  return launch(layernorm, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                x, scale, bias, y);
}

}  // namespace layernorm_kernels::layernorm
