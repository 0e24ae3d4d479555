// gather_1: gather, add, compare, select over f32[500,16].
//
//   in   senders   s32[500]
//   in   dot       f32[60,16]
//   out  gather    f32[500,16]
//
//   select = select(senders < 0, senders + 60, senders)
//   start  = clamp(0, select, 59)
//   gather = gather(dot, start)
//
// 63 blocks of 32 threads. Reads 5.8 kB, writes 32.0 kB.

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
gather_1(const int* __restrict__ senders,
         const float* __restrict__ dot,
         float* __restrict__ gather) {
  const int element = (blockIdx.x * kThreads + threadIdx.x) * kWidth;
  if (element >= kElements) return;
  const int row = element / 16;
  const int column = element % 16;

  const int senders_value = senders[row];
  const int select = senders_value < 0 ? senders_value + 60 : senders_value;
  const int start = minimum(maximum(select, 0), 59);
  const Vector<float, 4> dot_values = load_vector<kWidth>(dot + (start * 16 + column));
  Vector<float, 4> gather_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) gather_values[k] = dot_values[k];
  store_vector(gather + element, gather_values);
}

}  // namespace

cudaError_t
launch_gather_1(const int* senders, const float* dot, float* gather, cudaStream_t stream) {
  return launch(gather_1,
                {.grid = (kElements / kWidth + kThreads - 1) / kThreads, .block = kThreads},
                stream, senders, dot, gather);
}

}  // namespace graph_attention_kernels
