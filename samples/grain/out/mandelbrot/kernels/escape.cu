// escape: steps until a condition fails, of 1024 elements; one element a thread, its state in
// registers; a block's threads take each step together.
//
//   in   xs      f32[32]
//   in   ys      f32[32]
//   out  n_out   s32[32,32]
//
//   loop, carrying n, while_1, y:
//     while_6      = n < 40
//     while_7      = while_1 * while_1
//     while_8      = y * y
//     while_4      = while_7 + transpose(while_8) < 4
//     while_5      = while_6 and transpose(while_4)
//     next_n       = select(while_5, n + 1, n)
//     while_       = transpose(while_7 - transpose(while_8) + broadcast(xs, {0}))
//     next_while_1 = transpose(select(while_5, while_, transpose(while_1)))
//     next_y       = select(while_5, transpose(2 * while_1 * transpose(y) + ys), y)
//
// One block of 1024 threads. Reads 256 B, writes 4.1 kB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace mandelbrot_kernels::escape {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 32;
constexpr int kElements = kRows * kColumns;  // 1024
constexpr int kThreads = 1024;

static_assert(kElements == kThreads, "a thread of the one block has an element");

struct Shared {
  int n[kThreads];
  float while_1[kThreads];
  float y[kThreads];
};

__global__ void __launch_bounds__(kThreads)
escape(const float* __restrict__ xs, const float* __restrict__ ys, int* __restrict__ n_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float xs_value = xs[row];
  const float ys_value = ys[row];
  int n = 0;
  float while_1 = 0.0f;
  float y = 0.0f;

  while (true) {
    __syncthreads();
    shared.n[threadIdx.x] = n;
    shared.while_1[threadIdx.x] = while_1;
    shared.y[threadIdx.x] = y;
    __syncthreads();

    const float while__value_1 = shared.while_1[column * kRows + row];
    const bool while_2 = fmaf(while__value_1, while__value_1, y * y) < 4.0f;
    const bool while_3 = block_reduce<kThreads>(n < 40 && while_2, Or());
    if (!while_3) break;
    const float while__value_2 = shared.while_1[column * kRows + row];
    const bool while_4 = while__value_2 * while__value_2 + y * y < 4.0f;
    const bool while_5_1 = n < 40 && while_4;
    const bool while_6 = shared.n[column * kRows + row] < 40;
    const float while_7 = while_1 * while_1;
    const float y_value = shared.y[column * kRows + row];
    const float while_8 = y_value * y_value;
    const bool while_5_2 = while_6 && while_7 + while_8 < 4.0f;
    n = while_5_1 ? n + 1 : n;
    while_1 = while_5_2 ? while_7 - while_8 + xs_value : while_1;
    y = while_5_1 ? fmaf(2.0f * while__value_2, y, ys_value) : y;
  }

  n_out[element] = n;
}

}  // namespace

cudaError_t
enqueue(const float* xs, const float* ys, int* n_out, cudaStream_t stream) {
  return launch(escape, {.grid = 1, .block = kThreads}, stream, xs, ys, n_out);
}

}  // namespace mandelbrot_kernels::escape
