// escape: steps until a condition fails, of 1024 elements; one element a thread, its state in
// registers; a block's threads take each step together.
//
//   in   xs           f32[32]
//   in   ys           f32[32]
//   out  chosen_out   s32[32,32]
//
//   loop, carrying chosen_1, chosen_2_1, chosen_2_2:
//     is_less         = chosen_1 < 40
//     square_1        = chosen_2_1 * chosen_2_1
//     square_2        = chosen_2_2 * chosen_2_2
//     both_2          = is_less and transpose(square_1 + transpose(square_2) < 4)
//     next_chosen_1   = select(both_2, chosen_1 + 1, chosen_1)
//     x               = transpose(square_1 - transpose(square_2) + broadcast(xs, {0}))
//     next_chosen_2_1 = transpose(select(both_2, x, transpose(chosen_2_1)))
//     y               = transpose(2 * chosen_2_1 * transpose(chosen_2_2) + ys)
//     next_chosen_2_2 = select(both_2, y, chosen_2_2)
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
  int chosen_1[kThreads];
  float chosen_2_1[kThreads];
  float chosen_2_2[kThreads];
};

__global__ void __launch_bounds__(kThreads)
escape(const float* __restrict__ xs, const float* __restrict__ ys, int* __restrict__ chosen_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float xs_value = xs[row];
  const float ys_value = ys[row];
  int chosen_1 = 0;
  float chosen_2_1 = 0.0f;
  float chosen_2_2 = 0.0f;

  while (true) {
    __syncthreads();
    shared.chosen_1[threadIdx.x] = chosen_1;
    shared.chosen_2_1[threadIdx.x] = chosen_2_1;
    shared.chosen_2_2[threadIdx.x] = chosen_2_2;
    __syncthreads();

    const float chosen_value_1 = shared.chosen_2_1[column * kRows + row];
    const bool both_1 =
        chosen_1 < 40 && fmaf(chosen_value_1, chosen_value_1, chosen_2_2 * chosen_2_2) < 4.0f;
    const bool any = block_reduce<kThreads>(both_1, Or());
    if (!any) break;
    const float chosen_value_2 = shared.chosen_2_1[column * kRows + row];
    const bool both_2_1 =
        chosen_1 < 40 && chosen_value_2 * chosen_value_2 + chosen_2_2 * chosen_2_2 < 4.0f;
    const bool is_less = shared.chosen_1[column * kRows + row] < 40;
    const float square_1 = chosen_2_1 * chosen_2_1;
    const float chosen_value_3 = shared.chosen_2_2[column * kRows + row];
    const float square_2 = chosen_value_3 * chosen_value_3;
    const bool both_2_2 = is_less && square_1 + square_2 < 4.0f;
    chosen_1 = both_2_1 ? chosen_1 + 1 : chosen_1;
    chosen_2_1 = both_2_2 ? square_1 - square_2 + xs_value : chosen_2_1;
    chosen_2_2 = both_2_1 ? fmaf(2.0f * chosen_value_2, chosen_2_2, ys_value) : chosen_2_2;
  }

  chosen_out[element] = chosen_1;
}

}  // namespace

cudaError_t
enqueue(const float* xs, const float* ys, int* chosen_out, cudaStream_t stream) {
  return launch(escape, {.grid = 1, .block = kThreads}, stream, xs, ys, chosen_out);
}

}  // namespace mandelbrot_kernels::escape
