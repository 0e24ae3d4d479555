// after_2: 2 computations, in one launch whose last block to finish goes on alone.
//
//   after_3   16 blocks    multiply, add over f32[8,16,4]
//   padded    last block   multiply, add over f32[8,4,4]
//
// 16 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace recurrence_kernels::after_2 {
namespace {

// after_3: multiply, add over f32[8,16,4].
//
//   in   product     f32[8,32,4]
//   in   sum_3       f32[8,32,4]
//   out  sum_4       f32[8,16,4]
//   out  product_2   f32[8,16,4]
//
//   sum_4     = product[:,1:32:2,:] * sum_3[:,0:31:2,:] + sum_3[:,1:32:2,:]
//   product_2 = product[:,0:31:2,:] * product[:,1:32:2,:]
//
// 16 blocks of 32 threads. Reads 8.2 kB, writes 4.1 kB.
namespace after_3 {

constexpr int kRows = 128;
constexpr int kColumns = 4;
constexpr int kElements = kRows * kColumns;  // 512
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch read sum_4 and product_2.
__device__ void run(int block, const After2Arrays::After3Arrays& arrays) {
  const float* __restrict__ product = arrays.product;
  const float* __restrict__ sum_3 = arrays.sum_3;
  float* sum_4 = arrays.sum_4;
  float* product_2 = arrays.product_2;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 8 + column;
  const float product_value = product[index + 4];

  sum_4[element] = fmaf(product_value, sum_3[index], sum_3[index + 4]);
  product_2[element] = product[index] * product_value;
}

}  // namespace after_3

// padded: multiply, add over f32[8,4,4].
//
//   in   product_2      f32[8,16,4]
//   in   sum_4          f32[8,16,4]
//   out  padded_out     f32[8,4,4]
//   out  padded_2_out   f32[8,4,4]
//
//   sum_1        = product_2[:,1:16:2,:] * sum_4[:,0:15:2,:] + sum_4[:,1:16:2,:]
//   product_1    = product_2[:,0:15:2,:] * product_2[:,1:16:2,:]
//   sum_2        = product_1[:,1:8:2,:] * sum_1[:,0:7:2,:] + sum_1[:,1:8:2,:]
//   product_3    = product_1[:,0:7:2,:] * product_1[:,1:8:2,:]
//   sum_5        = product_3[:,1:4:2,:] * sum_2[:,0:3:2,:] + sum_2[:,1:4:2,:]
//   padded_3     = pad(sum_5[:,0,:], 0, padding=0_0x0_1_1x0_0)
//   product_4    = product_3[:,0:3:2,:] * product_3[:,1:4:2,:]
//   padded_4     = pad(product_4[:,1,:] * sum_5[:,0,:] + sum_5[:,1,:], 0, padding=0_0x1_0_1x0_0)
//   sum_3        = padded_3 + padded_4
//   sum          = product_3[:,2:4:2,:] * sum_3[:,0,:] + sum_2[:,2:4:2,:]
//   padded_out   = pad(concatenate(sum_2[:,0,:], sum), 0, padding=0_0x0_1_1x0_0)
//   padded_2_out = pad(sum_3, 0, padding=0_0x1_0_1x0_0)
//
// One block of 32 threads, 4 times. Reads 4.0 kB, writes 1.0 kB.
namespace padded {

constexpr int kI = 8;
constexpr int kJ = 4;
constexpr int kK = 4;
constexpr int kElements = kI * kJ * kK;  // 128
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch write product_2 and sum_4.
__device__ void run(int block, const After2Arrays::PaddedArrays& arrays) {
  const float* product_2 = arrays.product_2;
  const float* sum_4 = arrays.sum_4;
  float* __restrict__ padded_out = arrays.padded_out;
  float* __restrict__ padded_2_out = arrays.padded_2_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const int index = i * 64 + k;
  float padded_1 = 0.0f;
  if (j < 3 && j % 2 == 0) {
    if (j / 2 == 0) {
      const float product_2_value_1 = product_2[index + 12];
      const float sum_1_1 = fmaf(product_2[index + 4], sum_4[index], sum_4[index + 4]);
      const float sum_1_2 = fmaf(product_2_value_1, sum_4[index + 8], sum_4[index + 12]);
      padded_1 = fmaf(product_2[index + 8] * product_2_value_1, sum_1_1, sum_1_2);
    } else {
      // after
      const float product_2_value_2 = product_2[index + 36];
      const float product_2_value_3 = product_2[index + 44];
      const float product_1_1 = product_2[index + 40] * product_2_value_3;
      const float product_3_1 = product_2[index + 32] * product_2_value_2 * product_1_1;
      const float product_2_value_4 = product_2[index + 20];
      const float product_2_value_5 = product_2[index + 28];
      const float product_1_2 = product_2[index + 24] * product_2_value_5;
      const float product_3_2 = product_2[index + 16] * product_2_value_4 * product_1_2;
      const float product_2_value_6 = product_2[index + 12];
      const float sum_1_3 = fmaf(product_2[index + 4], sum_4[index], sum_4[index + 4]);
      const float sum_1_4 = fmaf(product_2_value_6, sum_4[index + 8], sum_4[index + 12]);
      const float sum_2_1 = fmaf(product_2[index + 8] * product_2_value_6, sum_1_3, sum_1_4);
      const float sum_1_5 = fmaf(product_2_value_4, sum_4[index + 16], sum_4[index + 20]);
      const float sum_1_6 = fmaf(product_2_value_5, sum_4[index + 24], sum_4[index + 28]);
      const float sum_1_7 = fmaf(product_2_value_2, sum_4[index + 32], sum_4[index + 36]);
      const float sum_1_8 = fmaf(product_2_value_3, sum_4[index + 40], sum_4[index + 44]);

      const float sum_3 = fmaf(product_3_2, sum_2_1, fmaf(product_1_2, sum_1_5, sum_1_6)) + 0.0f;
      padded_1 = fmaf(product_3_1, sum_3, fmaf(product_1_1, sum_1_7, sum_1_8));
    }
  }
  float padded_2 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float padded_3_1 = 0.0f;
    if ((j + 1) / 2 < 2) {
      const float product_2_value_7 = product_2[index + 20];
      const float product_2_value_8 = product_2[index + 28];
      const float product_1_3 = product_2[index + 24] * product_2_value_8;
      const float product_3_3 = product_2[index + 16] * product_2_value_7 * product_1_3;
      const float product_2_value_9 = product_2[index + 12];
      const float sum_1_9 = fmaf(product_2[index + 4], sum_4[index], sum_4[index + 4]);
      const float sum_1_10 = fmaf(product_2_value_9, sum_4[index + 8], sum_4[index + 12]);
      const float sum_2_2 = fmaf(product_2[index + 8] * product_2_value_9, sum_1_9, sum_1_10);
      const float sum_1_11 = fmaf(product_2_value_7, sum_4[index + 16], sum_4[index + 20]);
      const float sum_1_12 = fmaf(product_2_value_8, sum_4[index + 24], sum_4[index + 28]);
      const float padded_3_2 = fmaf(product_3_3, sum_2_2, fmaf(product_1_3, sum_1_11, sum_1_12));
      padded_3_1 = padded_3_2;
    }
    float padded_4_1 = 0.0f;
    if ((j + 1) / 2 == 2) {
      const float product_2_value_10 = product_2[index + 36];
      const float product_2_value_11 = product_2[index + 44];
      const float product_1_4 = product_2[index + 40] * product_2_value_11;
      const float product_2_value_12 = product_2[index + 52];
      const float product_2_value_13 = product_2[index + 60];
      const float product_1_5 = product_2[index + 56] * product_2_value_13;
      const float product_3_4 = product_2[index + 48] * product_2_value_12 * product_1_5;
      const float product_4 =
          product_2[index + 32] * product_2_value_10 * product_1_4 * product_3_4;
      const float product_2_value_14 = product_2[index + 20];
      const float product_2_value_15 = product_2[index + 28];
      const float product_1_6 = product_2[index + 24] * product_2_value_15;
      const float product_3_5 = product_2[index + 16] * product_2_value_14 * product_1_6;
      const float product_2_value_16 = product_2[index + 12];
      const float sum_1_13 = fmaf(product_2[index + 4], sum_4[index], sum_4[index + 4]);
      const float sum_1_14 = fmaf(product_2_value_16, sum_4[index + 8], sum_4[index + 12]);
      const float sum_2_3 = fmaf(product_2[index + 8] * product_2_value_16, sum_1_13, sum_1_14);
      const float sum_1_15 = fmaf(product_2_value_14, sum_4[index + 16], sum_4[index + 20]);
      const float sum_1_16 = fmaf(product_2_value_15, sum_4[index + 24], sum_4[index + 28]);
      const float sum_1_17 = fmaf(product_2_value_10, sum_4[index + 32], sum_4[index + 36]);
      const float sum_1_18 = fmaf(product_2_value_11, sum_4[index + 40], sum_4[index + 44]);
      const float sum_1_19 = fmaf(product_2_value_12, sum_4[index + 48], sum_4[index + 52]);
      const float sum_1_20 = fmaf(product_2_value_13, sum_4[index + 56], sum_4[index + 60]);
      const float sum_5 = fmaf(product_3_4, fmaf(product_1_4, sum_1_17, sum_1_18),
                               fmaf(product_1_5, sum_1_19, sum_1_20));
      const float padded_4_2 =
          fmaf(product_4, fmaf(product_3_5, sum_2_3, fmaf(product_1_6, sum_1_15, sum_1_16)), sum_5);
      padded_4_1 = padded_4_2;
    }
    padded_2 = padded_3_1 + padded_4_1;
  }

  padded_out[element] = padded_1;
  padded_2_out[element] = padded_2;
}

}  // namespace padded

constexpr int kThreads = 32;
constexpr int kBlocks = after_3::kBlocks;

__global__ void __launch_bounds__(kThreads)
after_2(const __grid_constant__ After2Arrays arrays) {
  const int block = blockIdx.x;
  after_3::run(block, arrays.after_3);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < padded::kBlocks; ++i) padded::run(i, arrays.padded);
}

}  // namespace

cudaError_t
enqueue(const After2Arrays& arrays, cudaStream_t stream) {
  return launch(after_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace recurrence_kernels::after_2
