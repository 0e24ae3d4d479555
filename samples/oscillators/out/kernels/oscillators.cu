// oscillators: 40 steps; one thread, its state in registers.
//
//   in   sum                   f32[40]
//   in   sum_1                 f32[40]
//   in   max                   f32[40]
//   in   sum_2                 s32[40]
//   out  div_out               f32[]
//   out  energy_out            f32[40]
//   out  dynamic_slice_1_out   f32[40]
//   out  dynamic_slice_2_out   s32[40]
//
//   loop t in [0, 40), carrying work:
//     step         energy_out, work
//     oscillators  dynamic_slice_1_out, dynamic_slice_2_out, div_out
//
// One thread. Reads 640 B, writes 484 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace oscillators_kernels::oscillators {
namespace {

constexpr int kSteps = 40;
constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
oscillators(const float* __restrict__ sum,
            const float* __restrict__ sum_1,
            const float* __restrict__ max,
            const int* __restrict__ sum_2,
            float* __restrict__ div_out,
            float* __restrict__ energy_out,
            float* __restrict__ dynamic_slice_1_out,
            int* __restrict__ dynamic_slice_2_out) {
  float work = 0.0f;

#pragma unroll 10
  for (int t = 0; t < kSteps; ++t) {
    // step
    work += sum[t];

    // oscillators
    energy_out[t] = sum_1[t] / 4096.0f;
    dynamic_slice_1_out[t] = max[t];
    dynamic_slice_2_out[t] = sum_2[t];
  }

  div_out[0] = work / 4096.0f;
}

}  // namespace

cudaError_t
enqueue(const float* sum,
        const float* sum_1,
        const float* max,
        const int* sum_2,
        float* div_out,
        float* energy_out,
        float* dynamic_slice_1_out,
        int* dynamic_slice_2_out,
        cudaStream_t stream) {
  return launch(oscillators, {.grid = 1, .block = kThreads}, stream,
                sum, sum_1, max, sum_2, div_out, energy_out, dynamic_slice_1_out,
                dynamic_slice_2_out);
}

}  // namespace oscillators_kernels::oscillators
