// after_2: 31 steps, then 16 steps of 1024 independent elements; one element a thread, its state in
// registers.
//
//   in   decay     f32[8,512,4]
//   in   value     f32[8,512,4]
//   in   sum_2     f32[8,32,4]
//   in   product   f32[8,32,4]
//   out  sum_out   f32[8,512,4]
//
//   loop t in [0, 31), carrying chosen:
//     sum_1       = broadcast(product[:,t,:]) * chosen + broadcast(sum_2[:,t,:])
//     next_chosen = select(t == 0, broadcast(sum_2[:,t,:]), sum_1)
//     chosen      = select(t < iota({1}), next_chosen, chosen)
//   part    = reshape(value, [8,32,16,4])
//   decay_1 = reshape(decay, [8,32,16,4])
//   loop t in [0, 16), carrying inner_carry:
//     is_zero          = iota({1}) == 0
//     sum              = decay_1[:,:,t,:] * inner_carry + part[:,:,t,:]
//     next_inner_carry = select(is_zero and t == 0, part[:,:,t,:], sum)
//
// 32 blocks of 32 threads. Reads 139 kB, writes 65.5 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::after_2 {
namespace {

constexpr int kI = 8;
constexpr int kJ = 32;
constexpr int kK = 4;
constexpr int kElements = kI * kJ * kK;  // 1024
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
after_2(const float* __restrict__ decay,
        const float* __restrict__ value,
        const float* __restrict__ sum_2,
        const float* __restrict__ product,
        float* __restrict__ sum_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const bool is_zero = j == 0;
  float chosen = 0.0f;

#pragma unroll 10
  for (int t = 0; t < 31; ++t) {
    const int index_1 = i * 128 + t * kK + k;
    const float sum_2_value = sum_2[index_1];
    const float next_chosen = t == 0 ? sum_2_value : fmaf(product[index_1], chosen, sum_2_value);
    chosen = t < j ? next_chosen : chosen;
  }
  float inner_carry = chosen;

#pragma unroll 8
  for (int t = 0; t < 16; ++t) {
    const int index_2 = ((i * kJ + j) * 16 + t) * kK + k;

    const float value_value = value[index_2];
    const float sum = fmaf(decay[index_2], inner_carry, value_value);

    const float next_inner_carry = is_zero && t == 0 ? value_value : sum;
    sum_out[index_2] = next_inner_carry;
    inner_carry = next_inner_carry;
  }
}

}  // namespace

cudaError_t
enqueue(const float* decay, const float* value, const float* sum_2, const float* product,
        float* sum_out, cudaStream_t stream) {
  return launch(after_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                decay, value, sum_2, product, sum_out);
}

}  // namespace recurrence_kernels::after_2
