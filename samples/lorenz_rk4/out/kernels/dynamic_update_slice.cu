// dynamic_update_slice: dynamic-update-slice, divide over f32[40,3].
//
//   in   sum     f32[]
//   in   sum_1   f32[]
//   in   sum_2   f32[]
//   out  stack   f32[40,3]
//
//   stack = stack, with [t,:] replaced by concatenate(sum / 64, sum_1 / 64, sum_2 / 64)
//
// One block of 32 threads. Reads 12 B, writes 12 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace lorenz_rk4_kernels {
namespace {

constexpr int kElements = 3;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
dynamic_update_slice(const float* __restrict__ sum,
                     const float* __restrict__ sum_1,
                     const float* __restrict__ sum_2,
                     float* __restrict__ stack,
                     int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  stack[t * kElements + element] =
      element == 0 ? sum[0] / 64.0f : (element < 2 ? sum_1[0] / 64.0f : sum_2[0] / 64.0f);
}

}  // namespace

cudaError_t
launch_dynamic_update_slice(const float* sum,
                            const float* sum_1,
                            const float* sum_2,
                            float* stack,
                            int t,
                            cudaStream_t stream) {
  return launch(dynamic_update_slice,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, sum, sum_1, sum_2, stack, t);
}

}  // namespace lorenz_rk4_kernels
