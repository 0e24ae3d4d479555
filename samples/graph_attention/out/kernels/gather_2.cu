// gather_2: gather over f32[500].
//
//   in   broadcast_in_dim   s32[500,1]
//   in   operand            f32[60]
//   out  gather             f32[500]
//
//   start  = clamp(0, broadcast_in_dim, 59)
//   gather = gather(operand, start)
//
// 16 blocks of 32 threads. Reads 2.2 kB, writes 2.0 kB.
// Launched in 3 places, on different arrays; the names here stand for those of each.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 500;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
gather_2(const int* __restrict__ broadcast_in_dim,
         const float* __restrict__ operand,
         float* __restrict__ gather) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const int start = minimum(maximum(broadcast_in_dim[element], 0), 59);

  gather[element] = operand[start];
}

}  // namespace

cudaError_t
launch_gather_2(const int* broadcast_in_dim,
                const float* operand,
                float* gather,
                cudaStream_t stream) {
  return launch(gather_2,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, broadcast_in_dim, operand, gather);
}

}  // namespace graph_attention_kernels
