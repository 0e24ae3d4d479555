// escape: steps until a condition fails, of 1024 elements; one element a thread, its state in
// registers; a block's threads take each step together.
//
//   in   xs      f32[32]
//   in   ys      f32[32]
//   out  n_out   s32[32,32]
//
//   loop, carrying n, chosen, y:
//     is_less     = n < 40
//     square_1    = chosen * chosen
//     square_2    = y * y
//     both_2      = is_less and transpose(square_1 + transpose(square_2) < 4)
//     next_n      = select(both_2, n + 1, n)
//     x           = transpose(square_1 - transpose(square_2) + broadcast(xs, {0}))
//     next_chosen = transpose(select(both_2, x, transpose(chosen)))
//     next_y      = select(both_2, transpose(2 * chosen * transpose(y) + ys), y)
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
  float chosen[kThreads];
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
  float chosen = 0.0f;
  float y = 0.0f;

  while (true) {
    __syncthreads();
    shared.n[threadIdx.x] = n;
    shared.chosen[threadIdx.x] = chosen;
    shared.y[threadIdx.x] = y;
    __syncthreads();

    const float chosen_value_1 = shared.chosen[column * kRows + row];
    const bool both_1 = n < 40 && fmaf(chosen_value_1, chosen_value_1, y * y) < 4.0f;
    const bool any = block_reduce<kThreads>(both_1, Or());
    if (!any) break;
    const float chosen_value_2 = shared.chosen[column * kRows + row];
    const bool both_2_1 = n < 40 && chosen_value_2 * chosen_value_2 + y * y < 4.0f;
    const bool is_less = shared.n[column * kRows + row] < 40;
    const float square_1 = chosen * chosen;
    const float y_value = shared.y[column * kRows + row];
    const float square_2 = y_value * y_value;
    const bool both_2_2 = is_less && square_1 + square_2 < 4.0f;
    n = both_2_1 ? n + 1 : n;
    chosen = both_2_2 ? square_1 - square_2 + xs_value : chosen;
    y = both_2_1 ? fmaf(2.0f * chosen_value_2, y, ys_value) : y;
  }

  n_out[element] = n;
}

}  // namespace

cudaError_t
enqueue(const float* xs, const float* ys, int* n_out, cudaStream_t stream) {
  return launch(escape, {.grid = 1, .block = kThreads}, stream, xs, ys, n_out);
}

}  // namespace mandelbrot_kernels::escape
