// token_sampling_4: reduce, gather, log, exponential, multiply, ... over f32[8,40].
//
//   in   top_k        f32[8,40]
//   in   top_k_1      s32[8,40]
//   in   key          u32[2]
//   in   max          f32[8]
//   in   sum          f32[8]
//   in   sum_1        f32[8,40]
//   out  squeeze      s32[8]
//   out  select_out   f32[8,40]
//
//   div, log, max_1, select_out
//   min
//
// A row a warp, 4 rows a block of 128 threads. Reads 2.7 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/rotate_left.cuh"
#include "device/warp_reduce.cuh"

namespace token_sampling_kernels {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 40;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 2

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
token_sampling_4(const float* __restrict__ top_k,
                 const int* __restrict__ top_k_1,
                 const uint32_t* __restrict__ key,
                 const float* __restrict__ max,
                 const float* __restrict__ sum,
                 const float* __restrict__ sum_1,
                 int* __restrict__ squeeze,
                 float* __restrict__ select_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const float max_value = max[row];
  const float sum_value = sum[row];
  const uint32_t key_value_1 = key[0];
  const uint32_t key_value_2 = key[1];
  const uint32_t xor_1 = key_value_1 ^ key_value_2 ^ 0x1bd11bdau;

  // div, log, max_1, select_out
  float max_1 = -INFINITY;
  float top_k_values[kPerThread];
  float div_values[kPerThread];
  float sum_1_values[kPerThread];
  float log_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      const int index = row * kColumns + column;
      top_k_values[k] = top_k[index];
      div_values[k] = expf(top_k_values[k] - max_value) / sum_value;
      sum_1_values[k] = sum_1[index];
      const float select_1 = sum_1_values[k] - div_values[k] < 0.9f ? top_k_values[k] : -INFINITY;
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
      log_values[k] = logf(-logf(maximum(1.1754944e-38f, sub + 1.1754944e-38f)));
      select_out[index] = select_1;
      max_1 = maximum(max_1, -log_values[k] + select_1);
    }
  }
  max_1 = warp_reduce(max_1, Maximum());
  const bool reduce = max_1 != max_1;

  // min
  int min = 2147483647;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      const float select_2 = sum_1_values[k] - div_values[k] < 0.9f ? top_k_values[k] : -INFINITY;
      const float add_26 = -log_values[k] + select_2;
      min = minimum(min, add_26 == max_1 || (add_26 != add_26 && reduce) ? column : 2147483647);
    }
  }
  min = warp_reduce(min, Minimum());
  const int start = minimum(maximum(min, 0), 39);

  if (lane == 0) squeeze[row] = min <= 39 ? top_k_1[row * kColumns + start] : -2147483647 - 1;
}

}  // namespace

cudaError_t
launch_token_sampling_4(const float* top_k,
                        const int* top_k_1,
                        const uint32_t* key,
                        const float* max,
                        const float* sum,
                        const float* sum_1,
                        int* squeeze,
                        float* select_out,
                        cudaStream_t stream) {
  return launch(token_sampling_4, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                top_k, top_k_1, key, max, sum, sum_1, squeeze, select_out);
}

}  // namespace token_sampling_kernels
