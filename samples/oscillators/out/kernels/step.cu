// step: 40 steps of 4096 elements; one element a thread, its state in registers, a block together.
//
//   in   x_in        f32[4096]
//   in   v_in        f32[4096]
//   out  x_out       f32[4096]
//   out  v_out       f32[4096]
//   out  sum_1_out   f32[40,128]
//   out  sum_2_out   f32[40,128]
//   out  max_out     f32[40,128]
//   out  sum_3_out   s32[40,128]
//
//   loop t in [0, 40), carrying x, v:
//     step         sum_1, sum_2, max, sum_3, v, x
//
// 128 blocks of 32 threads. Reads 32.8 kB, writes 115 kB.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace oscillators_kernels {
namespace {

constexpr int kElements = 4096;
constexpr int kSteps = 40;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ x_in,
     const float* __restrict__ v_in,
     float* __restrict__ x_out,
     float* __restrict__ v_out,
     float* __restrict__ sum_1_out,
     float* __restrict__ sum_2_out,
     float* __restrict__ max_out,
     int* __restrict__ sum_3_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int block = blockIdx.x;
  const int thread = threadIdx.x;

  float x = x_in[element];
  float v = v_in[element];

  for (int t = 0; t < kSteps; ++t) {
    const int index = t * 128 + block;

    // step
    const float mul = sinf(float(t) * 0.3f) * 0.5f;
    const float next_v = fmaf(fmaf(-v, 0.1f, mul - x), 0.05f, v);
    const float next_x = fmaf(next_v, 0.05f, x);
    const float sum_1 = block_reduce<kThreads>(mul * next_v, Add());
    const float sum_2 = block_reduce<kThreads>(fmaf(next_v, next_v, next_x * next_x) * 0.5f, Add());
    const float max = block_reduce<kThreads>(fabsf(next_x), Maximum());
    const int sum_3 = block_reduce<kThreads>(int(next_x > 1.0f), Add());
    v = next_v;
    x = next_x;

    // oscillators
    if (thread == 0) {
      sum_1_out[index] = sum_1;
      sum_2_out[index] = sum_2;
      max_out[index] = max;
      sum_3_out[index] = sum_3;
    }
  }

  x_out[element] = x;
  v_out[element] = v;
}

}  // namespace

cudaError_t
launch_step(const float* x_in,
            const float* v_in,
            float* x_out,
            float* v_out,
            float* sum_1_out,
            float* sum_2_out,
            float* max_out,
            int* sum_3_out,
            cudaStream_t stream) {
  return launch(step, {.grid = kElements / kThreads, .block = kThreads}, stream,
                x_in, v_in, x_out, v_out, sum_1_out, sum_2_out, max_out, sum_3_out);
}

}  // namespace oscillators_kernels
