// dropout: multiply, add, shift-left, shift-right-logical, or, ... over f32[64,96].
//
//   in   x        f32[64,96]
//   in   key      u32[2]
//   out  select   f32[64,96]
//
// 48 blocks of 32 threads. Reads 24.6 kB, writes 24.6 kB.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/rotate_left.cuh"
#include "device/vector_access.cuh"

namespace dropout_kernels {
namespace {

constexpr int kElements = 6144;
constexpr int kThreads = 32;
constexpr int kWidth = 4;  // elements a thread

static_assert(kElements % (kThreads * kWidth) == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dropout(const float* __restrict__ x, const uint32_t* __restrict__ key, float* __restrict__ select) {
  const int element = (blockIdx.x * kThreads + threadIdx.x) * kWidth;

  const uint32_t key_value_1 = key[0];
  const uint32_t key_value_2 = key[1];
  const uint32_t xor_1 = key_value_1 ^ key_value_2 ^ 0x1bd11bdau;
  const Vector<float, 4> x_values = load_vector<kWidth>(x + element);
  Vector<float, 4> select_values;
#pragma unroll
  for (int k = 0; k < kWidth; ++k) {
    const uint32_t add_1 = uint32_t(k + element) + key_value_2;
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
    const float add_26 = bit_cast<float>(shift_right_logical | 0x3f800000u) - 1.0f + 0.0f;
    select_values[k] = maximum(0.0f, add_26) < 0.9f ? x_values[k] / Divisor(0.9f) : 0.0f;
  }
  store_vector(select + element, select_values);
}

}  // namespace

cudaError_t
launch_dropout(const float* x, const uint32_t* key, float* select, cudaStream_t stream) {
  return launch(dropout, {.grid = kElements / (kThreads * kWidth), .block = kThreads}, stream,
                x, key, select);
}

}  // namespace dropout_kernels
