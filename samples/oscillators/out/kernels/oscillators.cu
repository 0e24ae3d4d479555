// oscillators: 40 steps; one thread, its state in registers.
//
//   in   push_v_sum    f32[40]
//   in   product_sum   f32[40]
//   in   max           f32[40]
//   in   count         s32[40]
//   out  scaled_out    f32[]
//   out  energy_out    f32[40]
//   out  part_out      f32[40]
//   out  part_2_out    s32[40]
//
//   loop t in [0, 40), carrying work:
//     next_work     = work + push_v_sum[t]
//     energy_out[t] = product_sum[t] / 4096
//     part_out[t]   = max[t]
//     part_2_out[t] = count[t]
//
// One thread. Reads 640 B, writes 484 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace oscillators_kernels::oscillators {
namespace {

constexpr int kSteps = 40;
constexpr int kThreads = 1;

__global__ void __launch_bounds__(kThreads)
oscillators(const float* __restrict__ push_v_sum,
            const float* __restrict__ product_sum,
            const float* __restrict__ max,
            const int* __restrict__ count,
            float* __restrict__ scaled_out,
            float* __restrict__ energy_out,
            float* __restrict__ part_out,
            int* __restrict__ part_2_out) {
  float work = 0.0f;

#pragma unroll 10
  for (int t = 0; t < kSteps; ++t) {
    // step
    work += push_v_sum[t];

    energy_out[t] = product_sum[t] / 4096.0f;
    part_out[t] = max[t];
    part_2_out[t] = count[t];
  }

  scaled_out[0] = work / 4096.0f;
}

}  // namespace

cudaError_t
enqueue(const float* push_v_sum, const float* product_sum, const float* max, const int* count,
        float* scaled_out, float* energy_out, float* part_out, int* part_2_out,
        cudaStream_t stream) {
  return launch(oscillators, {.grid = 1, .block = kThreads}, stream,
                push_v_sum, product_sum, max, count, scaled_out, energy_out, part_out, part_2_out);
}

}  // namespace oscillators_kernels::oscillators
