// div: gather, divide over f32[500].
//
//   in   exponential        f32[500]
//   in   broadcast_in_dim   s32[500,1]
//   in   sum                f32[60]
//   out  div_out            f32[500]
//
//   start   = clamp(0, broadcast_in_dim, 59)
//   div_out = exponential / gather(sum, start)
//
// 16 blocks of 32 threads. Reads 4.2 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 500;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
div(const float* __restrict__ exponential,
    const int* __restrict__ broadcast_in_dim,
    const float* __restrict__ sum,
    float* __restrict__ div_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const int start = minimum(maximum(broadcast_in_dim[element], 0), 59);

  div_out[element] = exponential[element] / sum[start];
}

}  // namespace

cudaError_t
launch_div(const float* exponential,
           const int* broadcast_in_dim,
           const float* sum,
           float* div_out,
           cudaStream_t stream) {
  return launch(div, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                exponential, broadcast_in_dim, sum, div_out);
}

}  // namespace graph_attention_kernels
