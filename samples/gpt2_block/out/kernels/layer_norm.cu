// layer_norm: reduce, divide, subtract, multiply over f32[2,16].
//
//   in   x                f32[2,16,48]
//   out  x_sum_out        f32[2,16]
//   out  square_sum_out   f32[2,16]
//
//   x_sum_out      = reduce(x, 0), dimensions={2}, to_apply=add
//   mean           = x_sum_out / 48
//   deviation      = x - broadcast(mean)
//   square_sum_out = reduce(deviation * deviation, 0), dimensions={2}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 6.1 kB, writes 256 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace gpt2_block_kernels::layer_norm {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 48;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 2

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
layer_norm(const float* __restrict__ x,
           float* __restrict__ x_sum_out,
           float* __restrict__ square_sum_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // x_sum
  float x_sum = 0.0f;
  float x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      x_values[k] = x[row * kColumns + column];
      x_sum += x_values[k];
    }
  }
  x_sum = warp_reduce(x_sum, Add());
  const float mean = x_sum / Divisor(48.0f);

  // square_sum
  float square_sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      const float deviation = x_values[k] - mean;
      square_sum += deviation * deviation;
    }
  }
  square_sum = warp_reduce(square_sum, Add());

  if (lane == 0) {
    x_sum_out[row] = x_sum;
    square_sum_out[row] = square_sum;
  }
}

}  // namespace

cudaError_t
enqueue(const float* x, float* x_sum_out, float* square_sum_out, cudaStream_t stream) {
  return launch(layer_norm, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                x, x_sum_out, square_sum_out);
}

}  // namespace gpt2_block_kernels::layer_norm
