// step: steps until a condition fails, of 576 elements; one element a thread, its state in
// registers, a block together.
//
//   in   b_in        f32[24,24]
//   out  sum_out     s32[]
//   out  sum_1_out   f32[24,24]
//
//   loop, carrying sum_1, sum_2, b_1, b_2, dot_2:
//     apply       sub_4, sub_6
//     step        sum_2, b_1, sum_1, b_2, dot_2
//
// One block of 576 threads. Reads 2.3 kB, writes 2.3 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

constexpr int kElements = 576;
constexpr int kThreads = 576;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

struct Shared {
  float b_1[kThreads];
  float b_2[kThreads];
};

__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ b_in, int* __restrict__ sum_out, float* __restrict__ sum_1_out) {
  Shared& shared = block_shared<Shared>();
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 24;
  const int column = element % 24;

  const float b_value_1 = b_in[element];
  float dot_1 = 0.0f;
  for (int k = 0; k < 576; ++k) {
    const float b_value_2 = b_in[k];
    dot_1 = fmaf(b_value_2, b_value_2, dot_1);
  }
  int sum_1 = 0;
  float sum_2 = 0.0f;
  float b_1 = b_value_1;
  float b_2 = b_value_1;
  float dot_2 = dot_1;

  while (true) {
    __syncthreads();
    shared.b_1[threadIdx.x] = b_1;
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
    float dot_3 = 0.0f;
    for (int k = 0; k < 576; ++k) {
      const float b_value_3 = shared.b_2[k];
      const float pad_1 = k / 24 >= 1 ? shared.b_2[k - 24] : 0.0f;
      const float pad_2 = k / 24 < 23 ? shared.b_2[k + 24] : 0.0f;
      const float pad_3 = k % 24 >= 1 ? shared.b_2[k - 1] : 0.0f;
      const float pad_4 = k % 24 < 23 ? shared.b_2[k + 1] : 0.0f;
      dot_3 = fmaf(b_value_3, fmaf(b_value_3, 4.0f, -pad_1) - pad_2 - pad_3 - pad_4, dot_3);
    }
    const float div = dot_2 / dot_3;
    const float next_b = fmaf(-div, sub_4, b_1);
    float dot_4 = 0.0f;
    for (int k = 0; k < 576; ++k) {
      // apply
      const float pad_5 = k / 24 >= 1 ? shared.b_2[k - 24] : 0.0f;
      const float pad_6 = k / 24 < 23 ? shared.b_2[k + 24] : 0.0f;
      const float pad_7 = k % 24 >= 1 ? shared.b_2[k - 1] : 0.0f;
      const float sub_5 = fmaf(shared.b_2[k], 4.0f, -pad_5) - pad_6 - pad_7;
      const float sub_6 = sub_5 - (k % 24 < 23 ? shared.b_2[k + 1] : 0.0f);

      // step
      const float sub_7 = fmaf(-div, sub_6, shared.b_1[k]);
      dot_4 = fmaf(sub_7, sub_7, dot_4);
    }
    sum_2 = fmaf(div, b_2, sum_2);
    b_1 = next_b;
    ++sum_1;
    b_2 = fmaf(dot_4 / dot_2, b_2, next_b);
    dot_2 = dot_4;
  }

  sum_1_out[element] = sum_2;
  if (row == 0 && column == 0) sum_out[0] = sum_1;
}

}  // namespace

cudaError_t
launch_step(const float* b_in, int* sum_out, float* sum_1_out, cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                b_in, sum_out, sum_1_out);
}

}  // namespace conjugate_gradient_kernels
