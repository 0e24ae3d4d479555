// sum_2: compare, multiply, select, subtract, exponential, ... over f32[2,4,16].
//
//   in   dot   f32[2,4,16,16]
//   in   max   f32[2,4,16]
//   out  sum   f32[2,4,16]
//
//   ge          = compare(broadcast(iota), broadcast(iota))
//   mul         = multiply(dot, 0.28867513)
//   select      = select(broadcast(ge), mul, -1e+09)
//   sub         = subtract(select, broadcast(max))
//   exponential = exponential(sub)
//   sum         = reduce(exponential, 0), dimensions={3}, to_apply=add
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
sum_2(const float* __restrict__ dot, const float* __restrict__ max, float* __restrict__ sum) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int column = element % 16;

  const float select_1 = column >= 0 ? dot[element * 16] * 0.28867513f : -1e9f;
  const float select_2 = column >= 1 ? dot[element * 16 + 1] * 0.28867513f : -1e9f;
  const float select_3 = column >= 2 ? dot[element * 16 + 2] * 0.28867513f : -1e9f;
  const float select_4 = column >= 3 ? dot[element * 16 + 3] * 0.28867513f : -1e9f;
  const float select_5 = column >= 4 ? dot[element * 16 + 4] * 0.28867513f : -1e9f;
  const float select_6 = column >= 5 ? dot[element * 16 + 5] * 0.28867513f : -1e9f;
  const float select_7 = column >= 6 ? dot[element * 16 + 6] * 0.28867513f : -1e9f;
  const float select_8 = column >= 7 ? dot[element * 16 + 7] * 0.28867513f : -1e9f;
  const float select_9 = column >= 8 ? dot[element * 16 + 8] * 0.28867513f : -1e9f;
  const float select_10 = column >= 9 ? dot[element * 16 + 9] * 0.28867513f : -1e9f;
  const float select_11 = column >= 10 ? dot[element * 16 + 10] * 0.28867513f : -1e9f;
  const float select_12 = column >= 11 ? dot[element * 16 + 11] * 0.28867513f : -1e9f;
  const float select_13 = column >= 12 ? dot[element * 16 + 12] * 0.28867513f : -1e9f;
  const float select_14 = column >= 13 ? dot[element * 16 + 13] * 0.28867513f : -1e9f;
  const float select_15 = column >= 14 ? dot[element * 16 + 14] * 0.28867513f : -1e9f;
  const float select_16 = column >= 15 ? dot[element * 16 + 15] * 0.28867513f : -1e9f;
  const float max_value = max[element];
  const float exponential_1 = expf(select_1 - max_value);
  const float exponential_2 = expf(select_2 - max_value);
  const float exponential_3 = expf(select_3 - max_value);
  const float exponential_4 = expf(select_4 - max_value);
  const float exponential_5 = expf(select_5 - max_value);
  const float exponential_6 = expf(select_6 - max_value);
  const float exponential_7 = expf(select_7 - max_value);
  const float exponential_8 = expf(select_8 - max_value);
  const float exponential_9 = expf(select_9 - max_value);
  const float exponential_10 = expf(select_10 - max_value);
  const float exponential_11 = expf(select_11 - max_value);
  const float exponential_12 = expf(select_12 - max_value);
  const float exponential_13 = expf(select_13 - max_value);
  const float exponential_14 = expf(select_14 - max_value);
  const float exponential_15 = expf(select_15 - max_value);
  const float exponential_16 = expf(select_16 - max_value);

  sum[element] = 0.0f + exponential_1 + exponential_2 + exponential_3 + exponential_4 +
                 exponential_5 + exponential_6 + exponential_7 + exponential_8 + exponential_9 +
                 exponential_10 + exponential_11 + exponential_12 + exponential_13 +
                 exponential_14 + exponential_15 + exponential_16;
}

}  // namespace

cudaError_t
launch_sum_2(const float* dot, const float* max, float* sum, cudaStream_t stream) {
  return launch(sum_2, {.grid = kElements / kThreads, .block = kThreads}, stream, dot, max, sum);
}

}  // namespace gpt2_block_kernels
