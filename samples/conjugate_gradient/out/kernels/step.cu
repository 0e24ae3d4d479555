// step: steps until a condition fails, of 576 elements; one element a thread, its state in
// registers, a block together.
//
//   in   b_in        f32[24,24]
//   out  sum_1_out   s32[]
//   out  sum_2_out   f32[24,24]
//
//   loop, carrying sum_1, sum_2, b_1, b_2, dot_2:
//     apply       sub_4
//     step        sum_2, b_1, sum_1, b_2, dot_2
//
// One block of 576 threads. Reads 2.3 kB, writes 2.3 kB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kElements = 576;
constexpr int kThreads = 576;

static_assert(kElements == kThreads, "a thread of the one block has an element");

struct Shared {
  float b_2[kThreads];
};

__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ b_in, int* __restrict__ sum_1_out, float* __restrict__ sum_2_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / 24;
  const int column = element % 24;

  const float b_value = b_in[element];
  const float dot_1 = block_reduce<kThreads>(b_value * b_value, Add());
  int sum_1 = 0;
  float sum_2 = 0.0f;
  float b_1 = b_value;
  float b_2 = b_value;
  float dot_2 = dot_1;

  while (true) {
    __syncthreads();
    shared.b_2[threadIdx.x] = b_2;
    __syncthreads();

    // unfinished
    if (!(sum_1 < 200 && dot_2 > 1e-6f)) break;

    // apply
    const float sub_1 = fmaf(b_2, 4.0f, -(row >= 1 ? shared.b_2[element - 24] : 0.0f));
    const float sub_2 = sub_1 - (row < 23 ? shared.b_2[element + 24] : 0.0f);
    const float sub_3 = sub_2 - (column >= 1 ? shared.b_2[element - 1] : 0.0f);
    const float sub_4 = sub_3 - (column < 23 ? shared.b_2[element + 1] : 0.0f);

    // step
    const float dot_3 = block_reduce<kThreads>(b_2 * sub_4, Add());
    const float div = dot_2 / dot_3;
    const float next_b = fmaf(-div, sub_4, b_1);
    const float dot_4 = block_reduce<kThreads>(next_b * next_b, Add());
    sum_2 = fmaf(div, b_2, sum_2);
    b_1 = next_b;
    ++sum_1;
    b_2 = fmaf(dot_4 / dot_2, b_2, next_b);
    dot_2 = dot_4;
  }

  sum_2_out[element] = sum_2;
  if (row == 0 && column == 0) sum_1_out[0] = sum_1;
}

}  // namespace

cudaError_t
launch_step(const float* b_in, int* sum_1_out, float* sum_2_out, cudaStream_t stream) {
  return launch(step, {.grid = 1, .block = kThreads}, stream, b_in, sum_1_out, sum_2_out);
}

}  // namespace conjugate_gradient_kernels
