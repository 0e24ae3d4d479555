// max: reduce, add over f32[16].
//
//   in   params_2_b   f32[10]
//   in   dot          f32[16,10]
//   out  max_out      f32[16]
//
//   max_out = reduce(dot + params_2_b, -inf), dimensions={1}, to_apply=maximum
//
// One block of 32 threads. Reads 680 B, writes 64 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace mlp_mnist_kernels {
namespace {

constexpr int kElements = 16;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
max(const float* __restrict__ params_2_b,
    const float* __restrict__ dot,
    float* __restrict__ max_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  float max_1 = -INFINITY;
  for (int k = 0; k < 10; ++k) max_1 = maximum(max_1, dot[element * 10 + k] + params_2_b[k]);

  max_out[element] = max_1;
}

}  // namespace

cudaError_t
launch_max(const float* params_2_b, const float* dot, float* max_out, cudaStream_t stream) {
  return launch(max, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                params_2_b, dot, max_out);
}

}  // namespace mlp_mnist_kernels
