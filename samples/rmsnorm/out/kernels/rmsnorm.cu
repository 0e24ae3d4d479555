// rmsnorm: reduce, rsqrt, multiply, divide, add, ... over bf16[64,96].
//
//   in   x            bf16[64,96]
//   in   scale        bf16[96]
//   out  normalised   bf16[64,96]
//
//   wide         = f32(x)
//   x_square_sum = reduce(wide * wide, 0), dimensions={1}, to_apply=add
//   inverse      = rsqrt(x_square_sum / 96 + 1e-05)
//   normalised   = bf16(wide * broadcast(inverse)) * scale
//
// A row a warp, 4 rows a block of 128 threads. Reads 12.5 kB, writes 12.3 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/divisor.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

namespace rmsnorm_kernels::rmsnorm {
namespace {

constexpr int kRows = 64;
constexpr int kColumns = 96;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 3

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
rmsnorm(const __nv_bfloat16* __restrict__ x,
        const __nv_bfloat16* __restrict__ scale,
        __nv_bfloat16* __restrict__ normalised) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // x_square_sum
  float x_square_sum = 0.0f;
  __nv_bfloat16 x_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    x_values[k] = x[row * kColumns + column];
    const float wide = to_float(x_values[k]);
    x_square_sum += wide * wide;
  }
  x_square_sum = warp_reduce(x_square_sum, Add());
  const float inverse = rsqrtf(x_square_sum / UncheckedDivisor(96.0f) + 1e-5f);

  // normalised
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    normalised[row * kColumns + column] =
        __hmul_rn(to_bfloat16(to_float(x_values[k]) * inverse), scale[column]);
  }
}

}  // namespace

cudaError_t
enqueue(const __nv_bfloat16* x, const __nv_bfloat16* scale, __nv_bfloat16* normalised,
        cudaStream_t stream) {
  return launch(rmsnorm, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                x, scale, normalised);
}

}  // namespace rmsnorm_kernels::rmsnorm
