// escape: steps until a condition fails, of 1024 elements; one element a thread, its state in
// registers; a block's threads take each step together.
//
//   in   xs          f32[32]
//   in   ys          f32[32]
//   out  while_out   s32[32,32]
//
//   loop, carrying while_1, while_2_1, while_2_2:
//     while_7        = while_1 < 40
//     while_8        = while_2_1 * while_2_1
//     while_9        = while_2_2 * while_2_2
//     while_5        = while_8 + transpose(while_9) < 4
//     while_6        = while_7 and transpose(while_5)
//     next_while_1   = select(while_6, while_1 + 1, while_1)
//     while_         = transpose(while_8 - transpose(while_9) + broadcast(xs, {0}))
//     next_while_2_1 = transpose(select(while_6, while_, transpose(while_2_1)))
//     while__1       = transpose(2 * while_2_1 * transpose(while_2_2) + ys)
//     next_while_2_2 = select(while_6, while__1, while_2_2)
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
  int while_1[kThreads];
  float while_2_1[kThreads];
  float while_2_2[kThreads];
};

__global__ void __launch_bounds__(kThreads)
escape(const float* __restrict__ xs, const float* __restrict__ ys, int* __restrict__ while_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float xs_value = xs[row];
  const float ys_value = ys[row];
  int while_1 = 0;
  float while_2_1 = 0.0f;
  float while_2_2 = 0.0f;

  while (true) {
    __syncthreads();
    shared.while_1[threadIdx.x] = while_1;
    shared.while_2_1[threadIdx.x] = while_2_1;
    shared.while_2_2[threadIdx.x] = while_2_2;
    __syncthreads();

    const float while__value_1 = shared.while_2_1[column * kRows + row];
    const bool while_3 = fmaf(while__value_1, while__value_1, while_2_2 * while_2_2) < 4.0f;
    const bool while_4 = block_reduce<kThreads>(while_1 < 40 && while_3, Or());
    if (!while_4) break;
    const float while__value_2 = shared.while_2_1[column * kRows + row];
    const bool while_5 = while__value_2 * while__value_2 + while_2_2 * while_2_2 < 4.0f;
    const bool while_6_1 = while_1 < 40 && while_5;
    const bool while_7 = shared.while_1[column * kRows + row] < 40;
    const float while_8 = while_2_1 * while_2_1;
    const float while__value_3 = shared.while_2_2[column * kRows + row];
    const float while_9 = while__value_3 * while__value_3;
    const bool while_6_2 = while_7 && while_8 + while_9 < 4.0f;
    while_1 = while_6_1 ? while_1 + 1 : while_1;
    while_2_1 = while_6_2 ? while_8 - while_9 + xs_value : while_2_1;
    while_2_2 = while_6_1 ? fmaf(2.0f * while__value_2, while_2_2, ys_value) : while_2_2;
  }

  while_out[element] = while_1;
}

}  // namespace

cudaError_t
enqueue(const float* xs, const float* ys, int* while_out, cudaStream_t stream) {
  return launch(escape, {.grid = 1, .block = kThreads}, stream, xs, ys, while_out);
}

}  // namespace mandelbrot_kernels::escape
