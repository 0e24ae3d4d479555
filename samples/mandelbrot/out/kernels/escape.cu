// escape: steps until a condition fails, of 1024 independent elements; one element a thread, its
// state in registers.
//
//   in   xs           f32[32]
//   in   ys           f32[32]
//   out  select_out   s32[32,32]
//
//   loop, carrying n, x, y:
//     alive  mul_1, mul_2
//     step   n, y, x
//
// 32 blocks of 32 threads. Reads 256 B, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace mandelbrot_kernels::escape {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
escape(const float* __restrict__ xs, const float* __restrict__ ys, int* __restrict__ select_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 32;
  const int column = element % 32;

  const float xs_value = xs[column];
  const float ys_value = ys[row];
  int n = 0;
  float x = 0.0f;
  float y = 0.0f;

  while (true) {
    // alive
    const float mul_1 = x * x;
    const float mul_2 = y * y;
    if (!(n < 40 && mul_1 + mul_2 < 4.0f)) break;

    // step
    ++n;
    y = fmaf(x * 2.0f, y, ys_value);
    x = mul_1 - mul_2 + xs_value;
  }

  select_out[element] = n;
}

}  // namespace

cudaError_t
enqueue(const float* xs, const float* ys, int* select_out, cudaStream_t stream) {
  return launch(escape, {.grid = kElements / kThreads, .block = kThreads}, stream,
                xs, ys, select_out);
}

}  // namespace mandelbrot_kernels::escape
