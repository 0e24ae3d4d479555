// escape: steps until a condition fails, of 1024 independent elements; one element a thread, its
// state in registers.
//
//   in   xs           f32[32]
//   in   ys           f32[32]
//   out  chosen_out   s32[32,32]
//
//   loop while reduce(n < 40 and x * x + y * y < 4, false), dimensions={0,1}, to_apply=or, carrying
//   n, x, y:
//     square_1 = x * x
//     square_2 = y * y
//     both     = n < 40 and square_1 + square_2 < 4
//     next_n   = select(both, n + 1, n)
//     next_x   = select(both, square_1 - square_2 + xs, x)
//     next_y   = select(both, x * 2 * y + broadcast(ys, {0}), y)
//
// 32 blocks of 32 threads. Reads 256 B, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace mandelbrot_kernels::escape {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 32;
constexpr int kElements = kRows * kColumns;  // 1024
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
escape(const float* __restrict__ xs, const float* __restrict__ ys, int* __restrict__ chosen_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float xs_value = xs[column];
  const float ys_value = ys[row];
  int n = 0;
  float x = 0.0f;
  float y = 0.0f;

  while (true) {
    // alive
    const float square_1 = x * x;
    const float square_2 = y * y;
    if (!(n < 40 && square_1 + square_2 < 4.0f)) break;

    // step
    ++n;
    y = fmaf(x * 2.0f, y, ys_value);
    x = square_1 - square_2 + xs_value;
  }

  chosen_out[element] = n;
}

}  // namespace

cudaError_t
enqueue(const float* xs, const float* ys, int* chosen_out, cudaStream_t stream) {
  return launch(escape, {.grid = kElements / kThreads, .block = kThreads}, stream,
                xs, ys, chosen_out);
}

}  // namespace mandelbrot_kernels::escape
