// max: compare, multiply, select, reduce over f32[2,4,16].
//
//   in   dot   f32[2,4,16,16]
//   out  max   f32[2,4,16]
//
//   ge     = compare(broadcast(iota), broadcast(iota))
//   mul    = multiply(dot, 0.28867513)
//   select = select(broadcast(ge), mul, -1e+09)
//   max    = reduce(select, -inf), dimensions={3}, to_apply=maximum
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
max(const float* __restrict__ dot, float* __restrict__ max_out) {
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

  max_out[element] =
      maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(maximum(select_1,
                                                                                                                              select_2),
                                                                                                                      select_3),
                                                                                                              select_4),
                                                                                                      select_5),
                                                                                              select_6),
                                                                                      select_7),
                                                                              select_8),
                                                                      select_9),
                                                              select_10),
                                                      select_11),
                                              select_12),
                                      select_13),
                              select_14),
                      select_15),
              select_16);
}

}  // namespace

cudaError_t
launch_max(const float* dot, float* max_out, cudaStream_t stream) {
  return launch(max, {.grid = kElements / kThreads, .block = kThreads}, stream, dot, max_out);
}

}  // namespace gpt2_block_kernels
