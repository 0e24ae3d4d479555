// step: steps until a condition fails, of 576 elements; one element a thread, its state in
// registers; a block's threads take each step together.
//
//   in   b_in    f32[24,24]
//   out  n_out   s32[]
//   out  x_out   f32[24,24]
//
//   loop while n < 200 and rr > 1e-06, carrying n, x, r, p, rr:
//     next_n            = n + 1
//     padded            = pad(p, 0, padding=1_1x1_1)
//     ap_term           = p * 4 - padded[0:24,1:25]
//     ap                = ap_term - padded[2:26,1:25] - padded[1:25,0:24] - padded[1:25,2:26]
//     alpha_denominator = dot(reshape(p, [576]), reshape(ap, [576]))
//     alpha             = rr / alpha_denominator
//     next_x            = x + alpha * p
//     next_r            = r - alpha * ap
//     next_r_reshaped   = reshape(next_r, [576])
//     next_rr           = dot(next_r_reshaped, next_r_reshaped)
//     next_p            = next_r + next_rr / rr * p
//
// One block of 576 threads. Reads 2.3 kB, writes 2.3 kB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace conjugate_gradient_kernels::step {
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
step(const float* __restrict__ b_in, int* __restrict__ n_out, float* __restrict__ x_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float b_value = b_in[element];
  const float dot = block_reduce<kThreads>(b_value * b_value, Add());
  int n = 0;
  float x = 0.0f;
  float r = b_value;
  float p = b_value;
  float rr = dot;

  while (true) {
    __syncthreads();
    shared.p[threadIdx.x] = p;
    __syncthreads();

    // unfinished
    if (!(n < 200 && rr > 1e-6f)) break;

    // apply
    const float padded_1 = row < kRows - 1 ? shared.p[element + 24] : 0.0f;
    const float padded_2 = column >= 1 ? shared.p[element - 1] : 0.0f;
    const float padded_3 = column < kColumns - 1 ? shared.p[element + 1] : 0.0f;
    const float ap_term = fmaf(p, 4.0f, -(row >= 1 ? shared.p[element - 24] : 0.0f));
    const float ap = ap_term - padded_1 - padded_2 - padded_3;

    const float alpha_denominator = block_reduce<kThreads>(p * ap, Add());
    const float alpha = rr / alpha_denominator;
    const float next_r = fmaf(-alpha, ap, r);
    const float next_rr = block_reduce<kThreads>(next_r * next_r, Add());
    x = fmaf(alpha, p, x);
    r = next_r;
    ++n;
    p = fmaf(next_rr / rr, p, next_r);
    rr = next_rr;
  }

  x_out[element] = x;
  if (row == 0 && column == 0) n_out[0] = n;
}

}  // namespace

cudaError_t
enqueue(const float* b_in, int* n_out, float* x_out, cudaStream_t stream) {
  return launch(step, {.grid = 1, .block = kThreads}, stream, b_in, n_out, x_out);
}

}  // namespace conjugate_gradient_kernels::step
