// div: exponential, add, subtract, divide over f32[16,10].
//
//   in   params_2_b   f32[10]
//   in   dot          f32[16,10]
//   in   max          f32[16]
//   in   sum          f32[16]
//   out  div_out      f32[16,10]
//
//   div_out = exponential(dot + params_2_b - broadcast(max)) / broadcast(sum)
//
// 5 blocks of 32 threads. Reads 808 B, writes 640 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace mlp_mnist_kernels {
namespace {

constexpr int kElements = 160;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
div(const float* __restrict__ params_2_b,
    const float* __restrict__ dot,
    const float* __restrict__ max,
    const float* __restrict__ sum,
    float* __restrict__ div_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 10;
  const int column = element % 10;

  div_out[element] = expf(dot[element] + params_2_b[column] - max[row]) / sum[row];
}

}  // namespace

cudaError_t
launch_div(const float* params_2_b,
           const float* dot,
           const float* max,
           const float* sum,
           float* div_out,
           cudaStream_t stream) {
  return launch(div, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_2_b, dot, max, sum, div_out);
}

}  // namespace mlp_mnist_kernels
