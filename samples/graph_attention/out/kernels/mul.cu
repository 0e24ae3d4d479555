// mul: gather, exponential, divide over f32[500,16].
//
//   in   sub                f32[500]
//   in   broadcast_in_dim   s32[500,1]
//   in   sum                f32[60]
//   out  mul_out            f32[500,16]
//
//   start   = clamp(0, broadcast_in_dim, 59)
//   mul_1   = exponential(sub) / gather(sum, start)
//   mul_out = broadcast(mul_1)
//
// 63 blocks of 32 threads. Reads 4.2 kB, writes 32.0 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"

namespace graph_attention_kernels {
namespace {

constexpr int kElements = 8000;
constexpr int kThreads = 32;
constexpr int kWidth = 4;  // elements a thread

__global__ void __launch_bounds__(kThreads)
mul(const float* __restrict__ sub,
    const int* __restrict__ broadcast_in_dim,
    const float* __restrict__ sum,
    float* __restrict__ mul_out) {
  const int element = (blockIdx.x * kThreads + threadIdx.x) * kWidth;
  if (element >= kElements) return;
  const int row = element / 16;

  const int start = minimum(maximum(broadcast_in_dim[row], 0), 59);
  const float mul_1 = expf(sub[row]) / sum[start];
  Vector<float, 4> mul_out_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) mul_out_values[k] = mul_1;
  store_vector(mul_out + element, mul_out_values);
}

}  // namespace

cudaError_t
launch_mul(const float* sub,
           const int* broadcast_in_dim,
           const float* sum,
           float* mul_out,
           cudaStream_t stream) {
  return launch(mul,
                {.grid = (kElements / kWidth + kThreads - 1) / kThreads, .block = kThreads},
                stream, sub, broadcast_in_dim, sum, mul_out);
}

}  // namespace graph_attention_kernels
