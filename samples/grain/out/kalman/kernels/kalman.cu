// kalman: 50 steps of 128 elements; one element a thread, its state in registers; a block's threads
// take each step together.
//
//   in   first_x_in   f32[32,2]
//   in   first_p_in   f32[32,2,2]
//   in   measured     f32[50,32]
//   in   f            f32[2,2]
//   out  last_x_out   f32[32,2]
//   out  last_p_out   f32[32,2,2]
//   out  place_out    f32[50,32]
//
//   predict  f_value_1, f_value_2, p_1
//   kalman   first_x_0, first_x_1, first_x, last_p
//   loop t in [0, 50), carrying first_x_0, first_x_1, first_x, last_p:
//     x_1            = dot(f, first_x), einsum=ab,cb->ac
//     fp             = dot(f, last_p), einsum=ab,cbd->acd
//     p_2            = dot(transpose(fp, {1,0,2}), f), einsum=abc,dc->abd
//     p_1            = select(broadcast(iota(), {0}) == broadcast(iota(), {1}), 0.01, 0)
//     p_3            = p_2 + p_1
//     gain_1         = p_3[:,0,:][:,0] + 0.04
//     gain_2         = p_3[:,:,0] / broadcast(gain_1)
//     x_2            = measured[t,:] - transpose(x_1)[:,0]
//     next_first_x_0 = transpose(x_1) + gain_2 * broadcast(x_2)
//     next_last_p    = p_3 - broadcast(gain_2, {0,1}) * broadcast(p_3[:,0,:], {0,2})
//     place_out[t,:] = next_first_x_0[:,0]
//     next_first_x   = next_first_x_0
//
// One block of 128 threads. Reads 7.2 kB, writes 7.2 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace kalman_kernels::kalman {
namespace {

constexpr int kI = 32;
constexpr int kJ = 2;
constexpr int kK = 2;
constexpr int kElements = kI * kJ * kK;  // 128
constexpr int kSteps = 50;
constexpr int kThreads = 128;

static_assert(kElements == kThreads, "a thread of the one block has an element");

struct Shared {
  float last_p[kThreads];
  float p_3_1[kThreads];
};

__global__ void __launch_bounds__(kThreads)
kalman(const float* __restrict__ first_x_in,
       const float* __restrict__ first_p_in,
       const float* __restrict__ measured,
       const float* __restrict__ f,
       float* __restrict__ last_x_out,
       float* __restrict__ last_p_out,
       float* __restrict__ place_out) {
  Shared& shared = block_shared<Shared>();
  const int element = threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const int index_1 = i * kJ + j;

  // predict
  const float f_value_1 = f[j * 2];
  const float f_value_2 = f[j * 2 + 1];
  const float p_1 = j == k ? 0.01f : 0.0f;

  float first_x_0 = first_x_in[i * 2];
  float first_x_1 = first_x_in[i * 2 + 1];
  float first_x = first_x_in[index_1];
  float last_p = first_p_in[element];

#pragma unroll 10
  for (int t = 0; t < kSteps; ++t) {
    shared.last_p[threadIdx.x] = last_p;
    __syncthreads();

    const int index_2 = t * kI + i;

    // predict
    const float x_1 = fmaf(0.1f, first_x_1, 1.0f * first_x_0);
    float p_2 = 0.0f;
    for (int k_1 = 0; k_1 < 2; ++k_1) {
      float fp = 0.0f;
      for (int k_2 = 0; k_2 < 2; ++k_2) {
        fp = fmaf(f[j * 2 + k_2], shared.last_p[(i * 2 + k_2) * 2 + k_1], fp);
      }
      p_2 = fmaf(fp, f[k * 2 + k_1], p_2);
    }
    const float p_3_1 = p_2 + p_1;
    shared.p_3_1[threadIdx.x] = p_3_1;
    __syncthreads();
    const float p_3_2 = shared.p_3_1[i * 4];

    // correct
    const float gain_1 = p_3_2 + 0.04f;
    const float gain_2_1 = shared.p_3_1[index_1 * 2] / gain_1;
    const float gain_2_2 = shared.p_3_1[i * 4 + 2] / gain_1;
    const float x_2 = measured[index_2] - x_1;
    const float next_first_x_0 = fmaf(p_3_2 / gain_1, x_2, x_1);
    first_x = fmaf(gain_2_1, x_2, fmaf(f_value_2, first_x_1, f_value_1 * first_x_0));
    first_x_1 = fmaf(gain_2_2, x_2, fmaf(1.0f, first_x_1, 0.0f * first_x_0));
    first_x_0 = next_first_x_0;
    last_p = fmaf(-gain_2_1, shared.p_3_1[i * 4 + k], p_3_1);

    if (j == 0 && k == 0) place_out[index_2] = next_first_x_0;
  }

  last_p_out[element] = last_p;
  if (k == 0) last_x_out[index_1] = first_x;
}

}  // namespace

cudaError_t
enqueue(const float* first_x_in, const float* first_p_in, const float* measured, const float* f,
        float* last_x_out, float* last_p_out, float* place_out, cudaStream_t stream) {
  return launch(kalman, {.grid = 1, .block = kThreads}, stream,
                first_x_in, first_p_in, measured, f, last_x_out, last_p_out, place_out);
}

}  // namespace kalman_kernels::kalman
