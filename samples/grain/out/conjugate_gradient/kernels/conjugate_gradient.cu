// conjugate_gradient: steps until a condition fails, of 576 elements; one element a thread, its
// state in registers; a block's threads take each step together.
//
//   in   b_in        f32[24,24]
//   out  sum_out     s32[]
//   out  sum_2_out   f32[24,24]
//
//   vdot                b_value, vdot_1
//   conjugate_gradient  sum, sum_2, b_1, b_2, vdot_2
//   loop while sum < 200 and vdot_2 > 1e-06, carrying sum, sum_2, b_1, b_2, vdot_2:
//     v_1         = 4 * b_2 - pad(b_2, 0, padding=1_0x0_0)[0:24,:]
//     v_2         = v_1 - pad(b_2, 0, padding=0_1x0_0)[1:25,:]
//     v_3         = pad(b_2, 0, padding=0_0x0_1)
//     v_4         = v_2 - pad(b_2, 0, padding=0_0x1_0)[:,0:24] - v_3[:,1:25]
//     vdot_3      = dot(b_2, v_4), einsum=ab,ab->
//     alpha       = vdot_2 / vdot_3
//     next_sum    = sum + 1
//     next_sum_2  = sum_2 + alpha * b_2
//     next_b_1    = b_1 - alpha * v_4
//     vdot_4      = dot(next_b_1, next_b_1), einsum=ab,ab->
//     next_b_2    = next_b_1 + vdot_4 / vdot_2 * b_2
//     next_vdot_2 = vdot_4
//
// One block of 576 threads. Reads 2.3 kB, writes 2.3 kB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace conjugate_gradient_kernels::conjugate_gradient {
namespace {

constexpr int kRows = 24;
constexpr int kColumns = 24;
constexpr int kElements = kRows * kColumns;  // 576
constexpr int kThreads = 576;

static_assert(kElements == kThreads, "a thread of the one block has an element");

struct Shared {
  float b_2[kThreads];
};

__global__ void __launch_bounds__(kThreads)
conjugate_gradient(const float* __restrict__ b_in,
                   int* __restrict__ sum_out,
                   float* __restrict__ sum_2_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // vdot
  const float b_value = b_in[element];
  const float vdot_1 = block_reduce<kThreads>(b_value * b_value, Add());

  int sum = 0;
  float sum_2 = 0.0f;
  float b_1 = b_value;
  float b_2 = b_value;
  float vdot_2 = vdot_1;

  while (true) {
    __syncthreads();
    shared.b_2[threadIdx.x] = b_2;
    __syncthreads();

    if (!(sum < 200 && vdot_2 > 1e-6f)) break;

    // laplace
    const float v_1 = fmaf(4.0f, b_2, -(row >= 1 ? shared.b_2[element - 24] : 0.0f));
    const float v_2 = v_1 - (row < kRows - 1 ? shared.b_2[element + 24] : 0.0f);
    const float v_3 = column < kColumns - 1 ? shared.b_2[element + 1] : 0.0f;
    const float v_4 = v_2 - (column >= 1 ? shared.b_2[element - 1] : 0.0f) - v_3;

    // vdot
    const float vdot_3 = block_reduce<kThreads>(b_2 * v_4, Add());

    const float alpha = vdot_2 / vdot_3;
    const float next_b_1 = fmaf(-alpha, v_4, b_1);

    // vdot
    const float vdot_4 = block_reduce<kThreads>(next_b_1 * next_b_1, Add());

    ++sum;
    sum_2 = fmaf(alpha, b_2, sum_2);
    b_1 = next_b_1;
    b_2 = fmaf(vdot_4 / vdot_2, b_2, next_b_1);

    // vdot
    vdot_2 = vdot_4;
  }

  sum_2_out[element] = sum_2;
  if (row == 0 && column == 0) sum_out[0] = sum;
}

}  // namespace

cudaError_t
enqueue(const float* b_in, int* sum_out, float* sum_2_out, cudaStream_t stream) {
  return launch(conjugate_gradient, {.grid = 1, .block = kThreads}, stream,
                b_in, sum_out, sum_2_out);
}

}  // namespace conjugate_gradient_kernels::conjugate_gradient
