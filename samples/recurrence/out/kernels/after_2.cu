// after_2: 2 computations, in one launch whose last block to finish goes on alone.
//
//   after    16 blocks    multiply, add over f32[8,16,4]
//   padded   last block   multiply, add over f32[8,4,4]
//
// 16 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace recurrence_kernels::after_2 {
namespace {

// after: multiply, add over f32[8,16,4].
//
//   in   product_in    f32[8,32,4]
//   in   sum_in        f32[8,32,4]
//   out  sum_out       f32[8,16,4]
//   out  product_out   f32[8,16,4]
//
//   sum_out     = product_in[:,1:32:2,:] * sum_in[:,0:31:2,:] + sum_in[:,1:32:2,:]
//   product_out = product_in[:,0:31:2,:] * product_in[:,1:32:2,:]
//
// 16 blocks of 32 threads. Reads 8.2 kB, writes 4.1 kB.
namespace after {

constexpr int kElements = 512;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const After2Arrays::AfterArrays& arrays) {
  const float* __restrict__ product_in = arrays.product_in;
  const float* __restrict__ sum_in = arrays.sum_in;
  float* sum_out = arrays.sum_out;
  float* product_out = arrays.product_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / 4;
  const int column = element % 4;

  const int index = row * 8 + column;
  const float product_value = product_in[index + 4];

  sum_out[element] = fmaf(product_value, sum_in[index], sum_in[index + 4]);
  product_out[element] = product_in[index] * product_value;
}

}  // namespace after

// padded: multiply, add over f32[8,4,4].
//
//   in   product        f32[8,16,4]
//   in   sum            f32[8,16,4]
//   out  padded_1_out   f32[8,4,4]
//   out  padded_2_out   f32[8,4,4]
//
//   sum_1        = product[:,1:16:2,:] * sum[:,0:15:2,:] + sum[:,1:16:2,:]
//   product_1    = product[:,0:15:2,:] * product[:,1:16:2,:]
//   sum_5        = product_1[:,1:8:2,:] * sum_1[:,0:7:2,:] + sum_1[:,1:8:2,:]
//   product_2    = product_1[:,0:7:2,:] * product_1[:,1:8:2,:]
//   sum_25       = product_2[:,1:4:2,:] * sum_5[:,0:3:2,:] + sum_5[:,1:4:2,:]
//   padded_4     = pad(sum_25[:,0,:], 0, padding=0_0x0_1_1x0_0)
//   product_10   = product_2[:,0:3:2,:] * product_2[:,1:4:2,:]
//   sum_26       = product_10[:,1,:] * sum_25[:,0,:] + sum_25[:,1,:]
//   padded_5     = pad(sum_26, 0, padding=0_0x1_0_1x0_0)
//   sum_10       = padded_4 + padded_5
//   sum_27       = product_2[:,2:4:2,:] * sum_10[:,0,:] + sum_5[:,2:4:2,:]
//   padded_1_out = pad(concatenate(sum_5[:,0,:], sum_27), 0, padding=0_0x0_1_1x0_0)
//   padded_2_out = pad(sum_10, 0, padding=0_0x1_0_1x0_0)
//
// One block of 32 threads, 4 times. Reads 4.0 kB, writes 1.0 kB.
namespace padded {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const After2Arrays::PaddedArrays& arrays) {
  const float* product = arrays.product;
  const float* sum = arrays.sum;
  float* __restrict__ padded_1_out = arrays.padded_1_out;
  float* __restrict__ padded_2_out = arrays.padded_2_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / 16;
  const int j = element / 4 % 4;
  const int k = element % 4;

  const int index = i * 64 + k;
  float padded_1 = 0.0f;
  if (j < 3) {
    float padded_3 = 0.0f;
    if (j % 2 == 0) {
      if (j / 2 == 0) {
        const float product_value_1 = product[index + 12];
        const float sum_1 = fmaf(product[index + 4], sum[index], sum[index + 4]);
        const float sum_2 = fmaf(product_value_1, sum[index + 8], sum[index + 12]);
        padded_3 = fmaf(product[index + 8] * product_value_1, sum_1, sum_2);
      } else {
        // after
        const float product_value_2 = product[index + 36];
        const float product_value_3 = product[index + 44];
        const float product_1 = product[index + 40] * product_value_3;
        const float product_2 = product[index + 32] * product_value_2 * product_1;
        const float product_value_4 = product[index + 20];
        const float product_value_5 = product[index + 28];
        const float product_3 = product[index + 24] * product_value_5;
        const float product_4 = product[index + 16] * product_value_4 * product_3;
        const float product_value_6 = product[index + 12];
        const float sum_3 = fmaf(product[index + 4], sum[index], sum[index + 4]);
        const float sum_4 = fmaf(product_value_6, sum[index + 8], sum[index + 12]);
        const float sum_5 = fmaf(product[index + 8] * product_value_6, sum_3, sum_4);
        const float sum_6 = fmaf(product_value_4, sum[index + 16], sum[index + 20]);
        const float sum_7 = fmaf(product_value_5, sum[index + 24], sum[index + 28]);
        const float sum_8 = fmaf(product_value_2, sum[index + 32], sum[index + 36]);
        const float sum_9 = fmaf(product_value_3, sum[index + 40], sum[index + 44]);

        // recurrence
        const float sum_10 = fmaf(product_4, sum_5, fmaf(product_3, sum_6, sum_7)) + 0.0f;
        padded_3 = fmaf(product_2, sum_10, fmaf(product_1, sum_8, sum_9));
      }
    }
    padded_1 = padded_3;
  }
  float padded_2 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float padded_4 = 0.0f;
    if ((j + 1) / 2 == 1 && ((j + 1) / 2 + 1) % 2 == 0) {
      const float product_value_7 = product[index + 20];
      const float product_value_8 = product[index + 28];
      const float product_5 = product[index + 24] * product_value_8;
      const float product_6 = product[index + 16] * product_value_7 * product_5;
      const float product_value_9 = product[index + 12];
      const float sum_11 = fmaf(product[index + 4], sum[index], sum[index + 4]);
      const float sum_12 = fmaf(product_value_9, sum[index + 8], sum[index + 12]);
      const float sum_13 = fmaf(product[index + 8] * product_value_9, sum_11, sum_12);
      const float sum_14 = fmaf(product_value_7, sum[index + 16], sum[index + 20]);
      const float sum_15 = fmaf(product_value_8, sum[index + 24], sum[index + 28]);
      padded_4 = fmaf(product_6, sum_13, fmaf(product_5, sum_14, sum_15));
    }
    float padded_5 = 0.0f;
    if ((j + 1) / 2 == 2 && (j + 1) / 2 % 2 == 0) {
      const float product_value_10 = product[index + 36];
      const float product_value_11 = product[index + 44];
      const float product_7 = product[index + 40] * product_value_11;
      const float product_value_12 = product[index + 52];
      const float product_value_13 = product[index + 60];
      const float product_8 = product[index + 56] * product_value_13;
      const float product_9 = product[index + 48] * product_value_12 * product_8;
      const float product_10 = product[index + 32] * product_value_10 * product_7 * product_9;
      const float product_value_14 = product[index + 20];
      const float product_value_15 = product[index + 28];
      const float product_11 = product[index + 24] * product_value_15;
      const float product_12 = product[index + 16] * product_value_14 * product_11;
      const float product_value_16 = product[index + 12];
      const float sum_16 = fmaf(product[index + 4], sum[index], sum[index + 4]);
      const float sum_17 = fmaf(product_value_16, sum[index + 8], sum[index + 12]);
      const float sum_18 = fmaf(product[index + 8] * product_value_16, sum_16, sum_17);
      const float sum_19 = fmaf(product_value_14, sum[index + 16], sum[index + 20]);
      const float sum_20 = fmaf(product_value_15, sum[index + 24], sum[index + 28]);
      const float sum_21 = fmaf(product_value_10, sum[index + 32], sum[index + 36]);
      const float sum_22 = fmaf(product_value_11, sum[index + 40], sum[index + 44]);
      const float sum_23 = fmaf(product_value_12, sum[index + 48], sum[index + 52]);
      const float sum_24 = fmaf(product_value_13, sum[index + 56], sum[index + 60]);
      const float sum_25 =
          fmaf(product_9, fmaf(product_7, sum_21, sum_22), fmaf(product_8, sum_23, sum_24));
      padded_5 =
          fmaf(product_10, fmaf(product_12, sum_18, fmaf(product_11, sum_19, sum_20)), sum_25);
    }
    padded_2 = padded_4 + padded_5;
  }

  padded_1_out[element] = padded_1;
  padded_2_out[element] = padded_2;
}

}  // namespace padded

constexpr int kThreads = 32;
constexpr int kBlocks = after::kBlocks;

__global__ void __launch_bounds__(kThreads)
after_2(const __grid_constant__ After2Arrays arrays) {
  const int block = blockIdx.x;
  after::run(block, arrays.after);

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
