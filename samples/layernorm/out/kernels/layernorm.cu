// layernorm: reduce, rsqrt, divide, subtract, multiply, ... over f32[64,96].
//
//   in   x            f32[64,96]
//   in   scale        f32[96]
//   in   bias         f32[96]
//   out  normalised   f32[64,96]
//
//   x_sum      = reduce(x, 0), dimensions={1}, to_apply=add
//   mean       = x_sum / 96
//   deviation  = x - broadcast(mean)
//   square_sum = reduce(deviation * deviation, 0), dimensions={1}, to_apply=add
//   inv_std    = rsqrt(square_sum / 96 + 1e-05)
//   normalised = deviation * broadcast(inv_std) * scale + bias
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
          float* __restrict__ normalised) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // x_sum
  float x_sum = 0.0f;
  float x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    x_values[k] = x[row * kColumns + column];
    x_sum += x_values[k];
  }
  x_sum = warp_reduce(x_sum, Add());
  const float mean = x_sum / Divisor(96.0f);

  // square_sum
  float square_sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const float deviation = x_values[k] - mean;
    square_sum += deviation * deviation;
  }
  square_sum = warp_reduce(square_sum, Add());
  const float inv_std = rsqrtf(square_sum / UncheckedDivisor(96.0f) + 1e-5f);

  // normalised
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    normalised[row * kColumns + column] =
        fmaf((x_values[k] - mean) * inv_std, scale[column], bias[column]);
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* scale, const float* bias, float* normalised,
        cudaStream_t stream) {
  return launch(layernorm, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                x, scale, bias, normalised);
}

}  // namespace layernorm_kernels::layernorm
