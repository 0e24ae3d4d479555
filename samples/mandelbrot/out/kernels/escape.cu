// escape: steps until a condition fails, of 1024 independent elements; one element a thread, its
// state in registers.
//
//   in   xs           f32[32]
//   in   ys           f32[32]
//   out  select_out   s32[32,32]
//
//   loop, carrying sum, add_1, add_2:
//     alive  mul_1, mul_2
//     step   sum, add_2, add_1
//
// 32 blocks of 32 threads. Reads 256 B, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace mandelbrot_kernels {
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
  int sum = 0;
  float add_1 = 0.0f;
  float add_2 = 0.0f;

  while (true) {
    // alive
    const float mul_1 = add_1 * add_1;
    const float mul_2 = add_2 * add_2;
    if (!(sum < 40 && mul_1 + mul_2 < 4.0f)) break;

    // step
    ++sum;
    add_2 = fmaf(add_1 * 2.0f, add_2, ys_value);
    add_1 = mul_1 - mul_2 + xs_value;
  }

  select_out[element] = sum;
}

}  // namespace

cudaError_t
launch_escape(const float* xs, const float* ys, int* select_out, cudaStream_t stream) {
  return launch(escape, {.grid = kElements / kThreads, .block = kThreads}, stream,
                xs, ys, select_out);
}

}  // namespace mandelbrot_kernels
