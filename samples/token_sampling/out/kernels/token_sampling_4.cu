// token_sampling_4: reduce, gather, log, exponential, multiply, ... over f32[8,40].
//
//   in   top_k     f32[8,40]
//   in   top_k_1   s32[8,40]
//   in   key       u32[2]
//   in   sum       f32[8,40]
//   in   max       f32[8]
//   in   sum_1     f32[8]
//   out  squeeze   s32[8]
//   out  select    f32[8,40]
//
// 10 blocks of 32 threads. Reads 3.9 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/rotate_left.cuh"

namespace token_sampling_kernels {
namespace {

constexpr int kElements = 320;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
token_sampling_4(const float* __restrict__ top_k,
                 const int* __restrict__ top_k_1,
                 const uint32_t* __restrict__ key,
                 const float* __restrict__ sum,
                 const float* __restrict__ max,
                 const float* __restrict__ sum_1,
                 int* __restrict__ squeeze,
                 float* __restrict__ select) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 40;
  const int column = element % 40;

  const float top_k_value_1 = top_k[element];
  const float max_value = max[row];
  const float sum_1_value = sum_1[row];
  const bool lt_1 = sum[element] - expf(top_k_value_1 - max_value) / sum_1_value < 0.9f;
  const uint32_t key_value_1 = key[0];
  const uint32_t key_value_2 = key[1];
  const uint32_t xor_1 = key_value_1 ^ key_value_2 ^ 0x1bd11bdau;
  float reduce_1 = -INFINITY;
  int reduce_2 = 0;
  for (int k = 0; k < 40; ++k) {
    const int index = row * 40 + k;
    const float top_k_value_2 = top_k[index];
    const bool lt_2 = sum[index] - expf(top_k_value_2 - max_value) / sum_1_value < 0.9f;
    const uint32_t add_1 = uint32_t(index) + key_value_2;
    const uint32_t add_2 = key_value_1 + add_1;
    const uint32_t xor_2 = add_2 ^ rotate_left(add_1, 13);
    const uint32_t add_3 = add_2 + xor_2;
    const uint32_t xor_3 = add_3 ^ rotate_left(xor_2, 15);
    const uint32_t add_4 = add_3 + xor_3;
    const uint32_t xor_4 = add_4 ^ rotate_left(xor_3, 26);
    const uint32_t add_5 = add_4 + xor_4;
    const uint32_t add_6 = (add_5 ^ rotate_left(xor_4, 6)) + xor_1 + 1u;
    const uint32_t add_7 = add_5 + key_value_2 + add_6;
    const uint32_t xor_5 = add_7 ^ rotate_left(add_6, 17);
    const uint32_t add_8 = add_7 + xor_5;
    const uint32_t xor_6 = add_8 ^ rotate_left(xor_5, 29);
    const uint32_t add_9 = add_8 + xor_6;
    const uint32_t xor_7 = add_9 ^ rotate_left(xor_6, 16);
    const uint32_t add_10 = add_9 + xor_7;
    const uint32_t add_11 = (add_10 ^ rotate_left(xor_7, 24)) + key_value_1 + 2u;
    const uint32_t add_12 = add_10 + xor_1 + add_11;
    const uint32_t xor_8 = add_12 ^ rotate_left(add_11, 13);
    const uint32_t add_13 = add_12 + xor_8;
    const uint32_t xor_9 = add_13 ^ rotate_left(xor_8, 15);
    const uint32_t add_14 = add_13 + xor_9;
    const uint32_t xor_10 = add_14 ^ rotate_left(xor_9, 26);
    const uint32_t add_15 = add_14 + xor_10;
    const uint32_t add_16 = (add_15 ^ rotate_left(xor_10, 6)) + key_value_2 + 3u;
    const uint32_t add_17 = add_15 + key_value_1 + add_16;
    const uint32_t xor_11 = add_17 ^ rotate_left(add_16, 17);
    const uint32_t add_18 = add_17 + xor_11;
    const uint32_t xor_12 = add_18 ^ rotate_left(xor_11, 29);
    const uint32_t add_19 = add_18 + xor_12;
    const uint32_t xor_13 = add_19 ^ rotate_left(xor_12, 16);
    const uint32_t add_20 = add_19 + xor_13;
    const uint32_t add_21 = (add_20 ^ rotate_left(xor_13, 24)) + xor_1 + 4u;
    const uint32_t add_22 = add_20 + key_value_2 + add_21;
    const uint32_t xor_14 = add_22 ^ rotate_left(add_21, 13);
    const uint32_t add_23 = add_22 + xor_14;
    const uint32_t xor_15 = add_23 ^ rotate_left(xor_14, 15);
    const uint32_t add_24 = add_23 + xor_15;
    const uint32_t xor_16 = add_24 ^ rotate_left(xor_15, 26);
    const uint32_t add_25 = add_24 + xor_16;
    const uint32_t shift_right_logical =
        ((add_25 + xor_1) ^ ((add_25 ^ rotate_left(xor_16, 6)) + key_value_1 + 5u)) >> 9;
    const float sub = bit_cast<float>(shift_right_logical | 0x3f800000u) - 1.0f;
    const float neg = -logf(-logf(maximum(1.1754944e-38f, sub + 1.1754944e-38f)));
    const float add_26 = neg + (lt_2 ? top_k_value_2 : -INFINITY);
    const bool or_ = reduce_1 > add_26 || reduce_1 != reduce_1;
    const float next_1 = or_ ? reduce_1 : add_26;
    const int next_2 = or_ || (reduce_1 == add_26 && reduce_2 < k) ? reduce_2 : k;
    reduce_1 = next_1;
    reduce_2 = next_2;
  }
  const int select_1 = reduce_2 < 0 ? reduce_2 + 40 : reduce_2;
  const bool and_ = select_1 >= 0 && select_1 <= 39;
  const int start = minimum(maximum(select_1, 0), 39);

  select[element] = lt_1 ? top_k_value_1 : -INFINITY;
  if (column == 0) squeeze[row] = and_ ? top_k_1[row * 40 + start] : -2147483647 - 1;
}

}  // namespace

cudaError_t
launch_token_sampling_4(const float* top_k,
                        const int* top_k_1,
                        const uint32_t* key,
                        const float* sum,
                        const float* max,
                        const float* sum_1,
                        int* squeeze,
                        float* select,
                        cudaStream_t stream) {
  return launch(token_sampling_4, {.grid = kElements / kThreads, .block = kThreads}, stream,
                top_k, top_k_1, key, sum, max, sum_1, squeeze, select);
}

}  // namespace token_sampling_kernels
