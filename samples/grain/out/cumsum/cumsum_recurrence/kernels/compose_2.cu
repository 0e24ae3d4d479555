// compose_2: 29 steps, then 10 steps of 240 independent elements; one element a thread, its state
// in registers.
//
//   in   a       f32[8,300]
//   in   b       f32[8,300]
//   in   h_2     f32[8,30]
//   in   h_3     f32[8,30]
//   out  h_out   f32[8,300]
//
//   loop t in [0, 29), carrying chosen:
//     compose     = broadcast(h_3[:,t]) * chosen + broadcast(h_2[:,t])
//     next_chosen = select(t < iota({1}), select(t == 0, broadcast(h_2[:,t]), compose), chosen)
//   h   = reshape(b, [8,30,10])
//   h_1 = reshape(a, [8,30,10])
//   loop t in [0, 10), carrying inner_carry:
//     is_zero          = iota({1}) == 0
//     next_inner_carry = select(is_zero and t == 0, h[:,:,t], h_1[:,:,t] * inner_carry + h[:,:,t])
//
// 8 blocks of 32 threads. Reads 21.1 kB, writes 9.6 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace cumsum_recurrence_kernels::compose_2 {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 30;
constexpr int kElements = kRows * kColumns;  // 240
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
compose_2(const float* __restrict__ a,
          const float* __restrict__ b,
          const float* __restrict__ h_2,
          const float* __restrict__ h_3,
          float* __restrict__ h_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const bool is_zero = column == 0;
  float chosen = 0.0f;

#pragma unroll 8
  for (int t = 0; t < 29; ++t) {
    const int index_1 = row * 30 + t;
    const float h_2_value = h_2[index_1];
    chosen = t < column ? (t == 0 ? h_2_value : fmaf(h_3[index_1], chosen, h_2_value)) : chosen;
  }
  float inner_carry = chosen;

#pragma unroll 10
  for (int t = 0; t < 10; ++t) {
    const int index_2 = element * 10 + t;
    const float b_value = b[index_2];
    const float next_inner_carry =
        is_zero && t == 0 ? b_value : fmaf(a[index_2], inner_carry, b_value);
    h_out[index_2] = next_inner_carry;
    inner_carry = next_inner_carry;
  }
}

}  // namespace

cudaError_t
enqueue(const float* a, const float* b, const float* h_2, const float* h_3, float* h_out,
        cudaStream_t stream) {
  return launch(compose_2,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, a, b, h_2, h_3, h_out);
}

}  // namespace cumsum_recurrence_kernels::compose_2
