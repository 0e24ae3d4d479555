// conjugate_gradient: steps until a condition fails, of 576 elements; one element a thread, its
// state in registers; a block's threads take each step together.
//
//   in   b_in    f32[24,24]
//   out  n_out   s32[]
//   out  x_out   f32[24,24]
//
//   vdot                b_value, vdot_1
//   conjugate_gradient  n, x, r, p, rr
//   loop while n < 200 and rr > 1e-06, carrying n, x, r, p, rr:
//     v_1     = 4 * p - pad(p, 0, padding=1_0x0_0)[0:24,:]
//     v_2     = v_1 - pad(p, 0, padding=0_1x0_0)[1:25,:]
//     v_3     = pad(p, 0, padding=0_0x0_1)
//     v_4     = v_2 - pad(p, 0, padding=0_0x1_0)[:,0:24] - v_3[:,1:25]
//     vdot_2  = dot(p, v_4), einsum=ab,ab->
//     alpha   = rr / vdot_2
//     next_n  = n + 1
//     next_x  = x + alpha * p
//     next_r  = r - alpha * v_4
//     vdot_3  = dot(next_r, next_r), einsum=ab,ab->
//     next_p  = next_r + vdot_3 / rr * p
//     next_rr = vdot_3
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
  float p[kThreads];
};

__global__ void __launch_bounds__(kThreads)
conjugate_gradient(const float* __restrict__ b_in,
                   int* __restrict__ n_out,
                   float* __restrict__ x_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // vdot
  const float b_value = b_in[element];
  const float vdot_1 = block_reduce<kThreads>(b_value * b_value, Add());

  int n = 0;
  float x = 0.0f;
  float r = b_value;
  float p = b_value;
  float rr = vdot_1;

  while (true) {
    __syncthreads();
    shared.p[threadIdx.x] = p;
    __syncthreads();

    if (!(n < 200 && rr > 1e-6f)) break;

    // laplace
    const float v_1 = fmaf(4.0f, p, -(row >= 1 ? shared.p[element - 24] : 0.0f));
    const float v_2 = v_1 - (row < kRows - 1 ? shared.p[element + 24] : 0.0f);
    const float v_3 = column < kColumns - 1 ? shared.p[element + 1] : 0.0f;
    const float v_4 = v_2 - (column >= 1 ? shared.p[element - 1] : 0.0f) - v_3;

    // vdot
    const float vdot_2 = block_reduce<kThreads>(p * v_4, Add());

    const float alpha = rr / vdot_2;
    const float next_r = fmaf(-alpha, v_4, r);

    // vdot
    const float vdot_3 = block_reduce<kThreads>(next_r * next_r, Add());

    ++n;
    x = fmaf(alpha, p, x);
    r = next_r;
    p = fmaf(vdot_3 / rr, p, next_r);

    // vdot
    rr = vdot_3;
  }

  x_out[element] = x;
  if (row == 0 && column == 0) n_out[0] = n;
}

}  // namespace

cudaError_t
enqueue(const float* b_in, int* n_out, float* x_out, cudaStream_t stream) {
  return launch(conjugate_gradient, {.grid = 1, .block = kThreads}, stream, b_in, n_out, x_out);
}

}  // namespace conjugate_gradient_kernels::conjugate_gradient
