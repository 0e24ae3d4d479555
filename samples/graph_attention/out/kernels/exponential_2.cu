// exponential_2: gather, exponential, add, multiply, subtract, ... over f32[500].
//
//   in   dot                f32[500]
//   in   dot_1              f32[500]
//   in   ge                 f32[500]
//   in   mul                f32[500]
//   in   broadcast_in_dim   s32[500,1]
//   in   max                f32[60]
//   out  exponential        f32[500]
//
//   add         = dot + dot_1
//   start       = clamp(0, broadcast_in_dim, 59)
//   exponential = exponential(select(add >= ge, add, mul * add) - gather(max, start))
//
// 16 blocks of 32 threads. Reads 10.2 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 500;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
exponential_2(const float* __restrict__ dot,
              const float* __restrict__ dot_1,
              const float* __restrict__ ge,
              const float* __restrict__ mul,
              const int* __restrict__ broadcast_in_dim,
              const float* __restrict__ max,
              float* __restrict__ exponential) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float add = dot[element] + dot_1[element];
  const int start = minimum(maximum(broadcast_in_dim[element], 0), 59);

  exponential[element] = expf((add >= ge[element] ? add : mul[element] * add) - max[start]);
}

}  // namespace

cudaError_t
launch_exponential_2(const float* dot,
                     const float* dot_1,
                     const float* ge,
                     const float* mul,
                     const int* broadcast_in_dim,
                     const float* max,
                     float* exponential,
                     cudaStream_t stream) {
  return launch(exponential_2,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, dot, dot_1, ge, mul, broadcast_in_dim, max, exponential);
}

}  // namespace graph_attention_kernels
