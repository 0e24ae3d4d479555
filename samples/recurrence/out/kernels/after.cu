// after: 2 computations, in one launch whose last block to finish goes on alone.
//
//   after_2   16 blocks    multiply, add over f32[8,16,4]
//   padded    last block   multiply, add over f32[8,4,4]
//
// 16 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace recurrence_kernels::after {
namespace {

// after_2: multiply, add over f32[8,16,4].
//
//   in   decay     f32[8,512,4]
//   in   value     f32[8,512,4]
//   out  sum_3     f32[8,16,4]
//   out  product   f32[8,16,4]
//
//   sum_1     = decay[:,1:512:2,:] * value[:,0:511:2,:] + value[:,1:512:2,:]
//   product_1 = decay[:,0:511:2,:] * decay[:,1:512:2,:]
//   sum_2     = product_1[:,1:256:2,:] * sum_1[:,0:255:2,:] + sum_1[:,1:256:2,:]
//   product_2 = product_1[:,0:255:2,:] * product_1[:,1:256:2,:]
//   sum_4     = product_2[:,1:128:2,:] * sum_2[:,0:127:2,:] + sum_2[:,1:128:2,:]
//   product_3 = product_2[:,0:127:2,:] * product_2[:,1:128:2,:]
//   sum_5     = product_3[:,1:64:2,:] * sum_4[:,0:63:2,:] + sum_4[:,1:64:2,:]
//   product_4 = product_3[:,0:63:2,:] * product_3[:,1:64:2,:]
//   sum_3     = product_4[:,1:32:2,:] * sum_5[:,0:31:2,:] + sum_5[:,1:32:2,:]
//   product   = product_4[:,0:31:2,:] * product_4[:,1:32:2,:]
//
// 16 blocks of 32 threads. Reads 131 kB, writes 4.1 kB.
namespace after_2 {

constexpr int kRows = 128;
constexpr int kColumns = 4;
constexpr int kElements = kRows * kColumns;  // 512
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch read sum_3 and product.
__device__ void run(int block, const AfterArrays::After2Arrays& arrays) {
  const float* __restrict__ decay = arrays.decay;
  const float* __restrict__ value = arrays.value;
  float* sum_3 = arrays.sum_3;
  float* product = arrays.product;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 128 + column;
  const float decay_value_1 = decay[index + 68];
  const float decay_value_2 = decay[index + 76];
  const float product_1_1 = decay[index + 72] * decay_value_2;
  const float decay_value_3 = decay[index + 84];
  const float decay_value_4 = decay[index + 92];
  const float product_1_2 = decay[index + 88] * decay_value_4;
  const float product_2_1 = decay[index + 80] * decay_value_3 * product_1_2;
  const float decay_value_5 = decay[index + 100];
  const float decay_value_6 = decay[index + 108];
  const float product_1_3 = decay[index + 104] * decay_value_6;
  const float decay_value_7 = decay[index + 116];
  const float decay_value_8 = decay[index + 124];
  const float product_1_4 = decay[index + 120] * decay_value_8;
  const float product_2_2 = decay[index + 112] * decay_value_7 * product_1_4;
  const float product_3_1 = decay[index + 96] * decay_value_5 * product_1_3 * product_2_2;
  const float product_4 =
      decay[index + 64] * decay_value_1 * product_1_1 * product_2_1 * product_3_1;
  const float decay_value_9 = decay[index + 36];
  const float decay_value_10 = decay[index + 44];
  const float product_1_5 = decay[index + 40] * decay_value_10;
  const float decay_value_11 = decay[index + 52];
  const float decay_value_12 = decay[index + 60];
  const float product_1_6 = decay[index + 56] * decay_value_12;
  const float product_2_3 = decay[index + 48] * decay_value_11 * product_1_6;
  const float product_3_2 = decay[index + 32] * decay_value_9 * product_1_5 * product_2_3;
  const float decay_value_13 = decay[index + 20];
  const float decay_value_14 = decay[index + 28];
  const float product_1_7 = decay[index + 24] * decay_value_14;
  const float product_2_4 = decay[index + 16] * decay_value_13 * product_1_7;
  const float decay_value_15 = decay[index + 12];
  const float product_1_8 = decay[index + 8] * decay_value_15;
  const float decay_value_16 = decay[index + 4];
  const float sum_1_1 = fmaf(decay_value_15, value[index + 8], value[index + 12]);
  const float sum_2 =
      fmaf(product_1_8, fmaf(decay_value_16, value[index], value[index + 4]), sum_1_1);
  const float sum_1_2 = fmaf(decay_value_13, value[index + 16], value[index + 20]);
  const float sum_1_3 = fmaf(decay_value_14, value[index + 24], value[index + 28]);
  const float sum_1_4 = fmaf(decay_value_9, value[index + 32], value[index + 36]);
  const float sum_1_5 = fmaf(decay_value_10, value[index + 40], value[index + 44]);
  const float sum_1_6 = fmaf(decay_value_11, value[index + 48], value[index + 52]);
  const float sum_1_7 = fmaf(decay_value_12, value[index + 56], value[index + 60]);
  const float sum_4_1 =
      fmaf(product_2_3, fmaf(product_1_5, sum_1_4, sum_1_5), fmaf(product_1_6, sum_1_6, sum_1_7));
  const float sum_5 =
      fmaf(product_3_2, fmaf(product_2_4, sum_2, fmaf(product_1_7, sum_1_2, sum_1_3)), sum_4_1);
  const float sum_1_8 = fmaf(decay_value_1, value[index + 64], value[index + 68]);
  const float sum_1_9 = fmaf(decay_value_2, value[index + 72], value[index + 76]);
  const float sum_1_10 = fmaf(decay_value_3, value[index + 80], value[index + 84]);
  const float sum_1_11 = fmaf(decay_value_4, value[index + 88], value[index + 92]);
  const float sum_4_2 =
      fmaf(product_2_1, fmaf(product_1_1, sum_1_8, sum_1_9), fmaf(product_1_2, sum_1_10, sum_1_11));
  const float sum_1_12 = fmaf(decay_value_5, value[index + 96], value[index + 100]);
  const float sum_1_13 = fmaf(decay_value_6, value[index + 104], value[index + 108]);
  const float sum_1_14 = fmaf(decay_value_7, value[index + 112], value[index + 116]);
  const float sum_1_15 = fmaf(decay_value_8, value[index + 120], value[index + 124]);
  const float sum_4_3 = fmaf(product_2_2, fmaf(product_1_3, sum_1_12, sum_1_13),
                             fmaf(product_1_4, sum_1_14, sum_1_15));

  sum_3[element] = fmaf(product_4, sum_5, fmaf(product_3_1, sum_4_2, sum_4_3));
  product[element] =
      decay[index] * decay_value_16 * product_1_8 * product_2_4 * product_3_2 * product_4;
}

}  // namespace after_2

// padded: multiply, add over f32[8,4,4].
//
//   in   product        f32[8,16,4]
//   in   sum_3          f32[8,16,4]
//   out  padded_out     f32[8,4,4]
//   out  padded_2_out   f32[8,4,4]
//
//   sum_1        = product[:,1:16:2,:] * sum_3[:,0:15:2,:] + sum_3[:,1:16:2,:]
//   product_1    = product[:,0:15:2,:] * product[:,1:16:2,:]
//   sum_2        = product_1[:,1:8:2,:] * sum_1[:,0:7:2,:] + sum_1[:,1:8:2,:]
//   product_2    = product_1[:,0:7:2,:] * product_1[:,1:8:2,:]
//   sum_5        = product_2[:,1:4:2,:] * sum_2[:,0:3:2,:] + sum_2[:,1:4:2,:]
//   padded_3     = pad(sum_5[:,0,:], 0, padding=0_0x0_1_1x0_0)
//   product_3    = product_2[:,0:3:2,:] * product_2[:,1:4:2,:]
//   padded_4     = pad(product_3[:,1,:] * sum_5[:,0,:] + sum_5[:,1,:], 0, padding=0_0x1_0_1x0_0)
//   sum_4        = padded_3 + padded_4
//   sum          = product_2[:,2:4:2,:] * sum_4[:,0,:] + sum_2[:,2:4:2,:]
//   padded_out   = pad(concatenate(sum_2[:,0,:], sum), 0, padding=0_0x0_1_1x0_0)
//   padded_2_out = pad(sum_4, 0, padding=0_0x1_0_1x0_0)
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

// No pointer is __restrict__: other parts of the launch write product and sum_3.
__device__ void run(int block, const AfterArrays::PaddedArrays& arrays) {
  const auto& [product, sum_3, padded_out, padded_2_out] = arrays;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const int index = i * 64 + k;
  float padded_1 = 0.0f;
  if (j < 3 && j % 2 == 0) {
    if (j / 2 == 0) {
      const float product_value_1 = product[index + 12];
      const float sum_1_1 = fmaf(product[index + 4], sum_3[index], sum_3[index + 4]);
      const float sum_1_2 = fmaf(product_value_1, sum_3[index + 8], sum_3[index + 12]);
      padded_1 = fmaf(product[index + 8] * product_value_1, sum_1_1, sum_1_2);
    } else {
      // after
      const float product_value_2 = product[index + 36];
      const float product_value_3 = product[index + 44];
      const float product_1_1 = product[index + 40] * product_value_3;
      const float product_2_1 = product[index + 32] * product_value_2 * product_1_1;
      const float product_value_4 = product[index + 20];
      const float product_value_5 = product[index + 28];
      const float product_1_2 = product[index + 24] * product_value_5;
      const float product_2_2 = product[index + 16] * product_value_4 * product_1_2;
      const float product_value_6 = product[index + 12];
      const float sum_1_3 = fmaf(product[index + 4], sum_3[index], sum_3[index + 4]);
      const float sum_1_4 = fmaf(product_value_6, sum_3[index + 8], sum_3[index + 12]);
      const float sum_2_1 = fmaf(product[index + 8] * product_value_6, sum_1_3, sum_1_4);
      const float sum_1_5 = fmaf(product_value_4, sum_3[index + 16], sum_3[index + 20]);
      const float sum_1_6 = fmaf(product_value_5, sum_3[index + 24], sum_3[index + 28]);
      const float sum_1_7 = fmaf(product_value_2, sum_3[index + 32], sum_3[index + 36]);
      const float sum_1_8 = fmaf(product_value_3, sum_3[index + 40], sum_3[index + 44]);

      const float sum_4 = fmaf(product_2_2, sum_2_1, fmaf(product_1_2, sum_1_5, sum_1_6)) + 0.0f;
      padded_1 = fmaf(product_2_1, sum_4, fmaf(product_1_1, sum_1_7, sum_1_8));
    }
  }
  float padded_2 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float padded_3_1 = 0.0f;
    if ((j + 1) / 2 < 2) {
      const float product_value_7 = product[index + 20];
      const float product_value_8 = product[index + 28];
      const float product_1_3 = product[index + 24] * product_value_8;
      const float product_2_3 = product[index + 16] * product_value_7 * product_1_3;
      const float product_value_9 = product[index + 12];
      const float sum_1_9 = fmaf(product[index + 4], sum_3[index], sum_3[index + 4]);
      const float sum_1_10 = fmaf(product_value_9, sum_3[index + 8], sum_3[index + 12]);
      const float sum_2_2 = fmaf(product[index + 8] * product_value_9, sum_1_9, sum_1_10);
      const float sum_1_11 = fmaf(product_value_7, sum_3[index + 16], sum_3[index + 20]);
      const float sum_1_12 = fmaf(product_value_8, sum_3[index + 24], sum_3[index + 28]);
      const float padded_3_2 = fmaf(product_2_3, sum_2_2, fmaf(product_1_3, sum_1_11, sum_1_12));
      padded_3_1 = padded_3_2;
    }
    float padded_4_1 = 0.0f;
    if ((j + 1) / 2 == 2) {
      const float product_value_10 = product[index + 36];
      const float product_value_11 = product[index + 44];
      const float product_1_4 = product[index + 40] * product_value_11;
      const float product_value_12 = product[index + 52];
      const float product_value_13 = product[index + 60];
      const float product_1_5 = product[index + 56] * product_value_13;
      const float product_2_4 = product[index + 48] * product_value_12 * product_1_5;
      const float product_3 = product[index + 32] * product_value_10 * product_1_4 * product_2_4;
      const float product_value_14 = product[index + 20];
      const float product_value_15 = product[index + 28];
      const float product_1_6 = product[index + 24] * product_value_15;
      const float product_2_5 = product[index + 16] * product_value_14 * product_1_6;
      const float product_value_16 = product[index + 12];
      const float sum_1_13 = fmaf(product[index + 4], sum_3[index], sum_3[index + 4]);
      const float sum_1_14 = fmaf(product_value_16, sum_3[index + 8], sum_3[index + 12]);
      const float sum_2_3 = fmaf(product[index + 8] * product_value_16, sum_1_13, sum_1_14);
      const float sum_1_15 = fmaf(product_value_14, sum_3[index + 16], sum_3[index + 20]);
      const float sum_1_16 = fmaf(product_value_15, sum_3[index + 24], sum_3[index + 28]);
      const float sum_1_17 = fmaf(product_value_10, sum_3[index + 32], sum_3[index + 36]);
      const float sum_1_18 = fmaf(product_value_11, sum_3[index + 40], sum_3[index + 44]);
      const float sum_1_19 = fmaf(product_value_12, sum_3[index + 48], sum_3[index + 52]);
      const float sum_1_20 = fmaf(product_value_13, sum_3[index + 56], sum_3[index + 60]);
      const float sum_5 = fmaf(product_2_4, fmaf(product_1_4, sum_1_17, sum_1_18),
                               fmaf(product_1_5, sum_1_19, sum_1_20));
      const float padded_4_2 =
          fmaf(product_3, fmaf(product_2_5, sum_2_3, fmaf(product_1_6, sum_1_15, sum_1_16)), sum_5);
      padded_4_1 = padded_4_2;
    }
    padded_2 = padded_3_1 + padded_4_1;
  }

  padded_out[element] = padded_1;
  padded_2_out[element] = padded_2;
}

}  // namespace padded

constexpr int kThreads = 32;
constexpr int kBlocks = after_2::kBlocks;

__global__ void __launch_bounds__(kThreads)
after(const __grid_constant__ AfterArrays arrays) {
  const int block = blockIdx.x;
  after_2::run(block, arrays.after_2);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < padded::kBlocks; ++i) padded::run(i, arrays.padded);
}

}  // namespace

cudaError_t
enqueue(const AfterArrays& arrays, cudaStream_t stream) {
  return launch(after, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace recurrence_kernels::after
