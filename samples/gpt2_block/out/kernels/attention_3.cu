// attention_3: reduce, exponential, multiply, subtract, compare, ... over f32[2,4,16].
//
//   in   dot       f32[2,4,16,16]
//   in   max       f32[2,4,16]
//   out  sum_out   f32[2,4,16]
//
//   broadcast_in_dim = broadcast(broadcast(iota(), {0}) >= broadcast(iota(), {1}))
//   select           = select(broadcast_in_dim, dot * 0.28867513, -1e+09)
//   sum_out          = reduce(exponential(select - broadcast(max, {0,1,2})), 0), dimensions={3},
//                      to_apply=add
//
// 4 blocks of 32 threads. Reads 8.7 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace gpt2_block_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
attention_3(const float* __restrict__ dot,
            const float* __restrict__ max,
            float* __restrict__ sum_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int column = element % 16;

  const float max_value = max[element];
  float sum = 0.0f;
  for (int k = 0; k < 16; ++k) {
    const float select = column >= k ? dot[element * 16 + k] * 0.28867513f : -1e9f;
    sum += expf(select - max_value);
  }

  sum_out[element] = sum;
}

}  // namespace

cudaError_t
launch_attention_3(const float* dot, const float* max, float* sum_out, cudaStream_t stream) {
  return launch(attention_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                dot, max, sum_out);
}

}  // namespace gpt2_block_kernels
