// exponential: gather, exponential, subtract over f32[500].
//
//   in   select             f32[500]
//   in   broadcast_in_dim   s32[500,1]
//   in   max                f32[60]
//   out  exponential_out    f32[500]
//
//   start           = clamp(0, broadcast_in_dim, 59)
//   exponential_out = exponential(select - gather(max, start))
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
exponential(const float* __restrict__ select,
            const int* __restrict__ broadcast_in_dim,
            const float* __restrict__ max,
            float* __restrict__ exponential_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const int start = minimum(maximum(broadcast_in_dim[element], 0), 59);

  exponential_out[element] = expf(select[element] - max[start]);
}

}  // namespace

cudaError_t
launch_exponential(const float* select,
                   const int* broadcast_in_dim,
                   const float* max,
                   float* exponential_out,
                   cudaStream_t stream) {
  return launch(exponential,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, select, broadcast_in_dim, max, exponential_out);
}

}  // namespace graph_attention_kernels
