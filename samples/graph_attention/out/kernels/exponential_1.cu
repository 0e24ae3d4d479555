// exponential_1: exponential, subtract over f32[500].
//
//   in   select        f32[500]
//   in   gather        f32[500]
//   out  exponential   f32[500]
//
//   exponential = exponential(select - gather)
//
// 16 blocks of 32 threads. Reads 4.0 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 500;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
exponential_1(const float* __restrict__ select,
              const float* __restrict__ gather,
              float* __restrict__ exponential) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  exponential[element] = expf(select[element] - gather[element]);
}

}  // namespace

cudaError_t
launch_exponential_1(const float* select,
                     const float* gather,
                     float* exponential,
                     cudaStream_t stream) {
  return launch(exponential_1,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, select, gather, exponential);
}

}  // namespace graph_attention_kernels
