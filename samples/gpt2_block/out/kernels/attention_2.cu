// attention_2: reduce, multiply, compare, select over f32[2,4,16].
//
//   in   dot       f32[2,4,16,16]
//   out  max_out   f32[2,4,16]
//
//   broadcast_in_dim = broadcast(broadcast(iota(), {0}) >= broadcast(iota(), {1}))
//   max_out          = reduce(select(broadcast_in_dim, dot * 0.28867513, -1e+09), -inf),
//                      dimensions={3}, to_apply=maximum
//
// 4 blocks of 32 threads. Reads 8.2 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace gpt2_block_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
attention_2(const float* __restrict__ dot, float* __restrict__ max_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int column = element % 16;

  float max = -INFINITY;
  for (int k = 0; k < 16; ++k) {
    max = maximum(max, column >= k ? dot[element * 16 + k] * 0.28867513f : -1e9f);
  }

  max_out[element] = max;
}

}  // namespace

cudaError_t
launch_attention_2(const float* dot, float* max_out, cudaStream_t stream) {
  return launch(attention_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                dot, max_out);
}

}  // namespace gpt2_block_kernels
