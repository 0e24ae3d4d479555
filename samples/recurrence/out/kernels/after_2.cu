// after_2: 2 computations, in one launch whose last block to finish goes on alone.
//
//   after   16 blocks    multiply, add over f32[8,16,4]
//   pad     last block   multiply, add over f32[8,4,4]
//
// 16 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace recurrence_kernels::after_2 {
namespace {

// after: multiply, add over f32[8,16,4].
//
//   in   mul_in    f32[8,32,4]
//   in   add_in    f32[8,32,4]
//   out  add_out   f32[8,16,4]
//   out  mul_out   f32[8,16,4]
//
//   add_out = mul_in[:,1:32:2,:] * add_in[:,0:31:2,:] + add_in[:,1:32:2,:]
//   mul_out = mul_in[:,0:31:2,:] * mul_in[:,1:32:2,:]
//
// 16 blocks of 32 threads. Reads 8.2 kB, writes 4.1 kB.
namespace after {

constexpr int kElements = 512;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const After2Arrays::AfterArrays& arrays) {
  const float* __restrict__ mul_in = arrays.mul_in;
  const float* __restrict__ add_in = arrays.add_in;
  float* add_out = arrays.add_out;
  float* mul_out = arrays.mul_out;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / 4;
  const int column = element % 4;

  const int index = row * 8 + column;
  const float mul_value = mul_in[index + 4];

  add_out[element] = fmaf(mul_value, add_in[index], add_in[index + 4]);
  mul_out[element] = mul_in[index] * mul_value;
}

}  // namespace after

// pad: multiply, add over f32[8,4,4].
//
//   in   mul         f32[8,16,4]
//   in   add         f32[8,16,4]
//   out  pad_1_out   f32[8,4,4]
//   out  pad_2_out   f32[8,4,4]
//
//   add_1       = mul[:,1:16:2,:] * add[:,0:15:2,:] + add[:,1:16:2,:]
//   mul_1       = mul[:,0:15:2,:] * mul[:,1:16:2,:]
//   add_5       = mul_1[:,1:8:2,:] * add_1[:,0:7:2,:] + add_1[:,1:8:2,:]
//   mul_2       = mul_1[:,0:7:2,:] * mul_1[:,1:8:2,:]
//   add_25      = mul_2[:,1:4:2,:] * add_5[:,0:3:2,:] + add_5[:,1:4:2,:]
//   pad_3       = pad(add_25[:,0,:], 0, padding=0_0x0_1_1x0_0)
//   mul_10      = mul_2[:,0:3:2,:] * mul_2[:,1:4:2,:]
//   pad_4       = pad(mul_10[:,1,:] * add_25[:,0,:] + add_25[:,1,:], 0, padding=0_0x1_0_1x0_0)
//   add_10      = pad_3 + pad_4
//   concatenate = concatenate(add_5[:,0,:], mul_2[:,2:4:2,:] * add_10[:,0,:] + add_5[:,2:4:2,:]),
//                 dimensions={1}
//   pad_1_out   = pad(concatenate, 0, padding=0_0x0_1_1x0_0)
//   pad_2_out   = pad(add_10, 0, padding=0_0x1_0_1x0_0)
//
// One block of 32 threads, 4 times. Reads 4.0 kB, writes 1.0 kB.
namespace pad {

constexpr int kElements = 128;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const After2Arrays::PadArrays& arrays) {
  const float* mul = arrays.mul;
  const float* add = arrays.add;
  float* __restrict__ pad_1_out = arrays.pad_1_out;
  float* __restrict__ pad_2_out = arrays.pad_2_out;
  const int element = block * kThreads + threadIdx.x;
  const int i = element / 16;
  const int j = element / 4 % 4;
  const int k = element % 4;

  const int index = i * 64 + k;
  float pad_1 = 0.0f;
  if (j < 3 && j % 2 == 0) {
    float concatenate;
    if (j / 2 == 0) {
      const float mul_value_1 = mul[index + 12];
      const float add_1 = fmaf(mul[index + 4], add[index], add[index + 4]);
      const float add_2 = fmaf(mul_value_1, add[index + 8], add[index + 12]);
      concatenate = fmaf(mul[index + 8] * mul_value_1, add_1, add_2);
    } else {
      // after
      const float mul_value_2 = mul[index + 36];
      const float mul_value_3 = mul[index + 44];
      const float mul_1 = mul[index + 40] * mul_value_3;
      const float mul_2 = mul[index + 32] * mul_value_2 * mul_1;
      const float mul_value_4 = mul[index + 20];
      const float mul_value_5 = mul[index + 28];
      const float mul_3 = mul[index + 24] * mul_value_5;
      const float mul_4 = mul[index + 16] * mul_value_4 * mul_3;
      const float mul_value_6 = mul[index + 12];
      const float add_3 = fmaf(mul[index + 4], add[index], add[index + 4]);
      const float add_4 = fmaf(mul_value_6, add[index + 8], add[index + 12]);
      const float add_5 = fmaf(mul[index + 8] * mul_value_6, add_3, add_4);
      const float add_6 = fmaf(mul_value_4, add[index + 16], add[index + 20]);
      const float add_7 = fmaf(mul_value_5, add[index + 24], add[index + 28]);
      const float add_8 = fmaf(mul_value_2, add[index + 32], add[index + 36]);
      const float add_9 = fmaf(mul_value_3, add[index + 40], add[index + 44]);

      // recurrence
      const float add_10 = fmaf(mul_4, add_5, fmaf(mul_3, add_6, add_7)) + 0.0f;
      concatenate = fmaf(mul_2, add_10, fmaf(mul_1, add_8, add_9));
    }
    pad_1 = concatenate;
  }
  float pad_2 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float pad_3 = 0.0f;
    if ((j + 1) / 2 == 1 && ((j + 1) / 2 + 1) % 2 == 0) {
      const float mul_value_7 = mul[index + 20];
      const float mul_value_8 = mul[index + 28];
      const float mul_5 = mul[index + 24] * mul_value_8;
      const float mul_6 = mul[index + 16] * mul_value_7 * mul_5;
      const float mul_value_9 = mul[index + 12];
      const float add_11 = fmaf(mul[index + 4], add[index], add[index + 4]);
      const float add_12 = fmaf(mul_value_9, add[index + 8], add[index + 12]);
      const float add_13 = fmaf(mul[index + 8] * mul_value_9, add_11, add_12);
      const float add_14 = fmaf(mul_value_7, add[index + 16], add[index + 20]);
      const float add_15 = fmaf(mul_value_8, add[index + 24], add[index + 28]);
      pad_3 = fmaf(mul_6, add_13, fmaf(mul_5, add_14, add_15));
    }
    float pad_4 = 0.0f;
    if ((j + 1) / 2 == 2 && (j + 1) / 2 % 2 == 0) {
      const float mul_value_10 = mul[index + 36];
      const float mul_value_11 = mul[index + 44];
      const float mul_7 = mul[index + 40] * mul_value_11;
      const float mul_value_12 = mul[index + 52];
      const float mul_value_13 = mul[index + 60];
      const float mul_8 = mul[index + 56] * mul_value_13;
      const float mul_9 = mul[index + 48] * mul_value_12 * mul_8;
      const float mul_10 = mul[index + 32] * mul_value_10 * mul_7 * mul_9;
      const float mul_value_14 = mul[index + 20];
      const float mul_value_15 = mul[index + 28];
      const float mul_11 = mul[index + 24] * mul_value_15;
      const float mul_12 = mul[index + 16] * mul_value_14 * mul_11;
      const float mul_value_16 = mul[index + 12];
      const float add_16 = fmaf(mul[index + 4], add[index], add[index + 4]);
      const float add_17 = fmaf(mul_value_16, add[index + 8], add[index + 12]);
      const float add_18 = fmaf(mul[index + 8] * mul_value_16, add_16, add_17);
      const float add_19 = fmaf(mul_value_14, add[index + 16], add[index + 20]);
      const float add_20 = fmaf(mul_value_15, add[index + 24], add[index + 28]);
      const float add_21 = fmaf(mul_value_10, add[index + 32], add[index + 36]);
      const float add_22 = fmaf(mul_value_11, add[index + 40], add[index + 44]);
      const float add_23 = fmaf(mul_value_12, add[index + 48], add[index + 52]);
      const float add_24 = fmaf(mul_value_13, add[index + 56], add[index + 60]);
      const float add_25 = fmaf(mul_9, fmaf(mul_7, add_21, add_22), fmaf(mul_8, add_23, add_24));
      pad_4 = fmaf(mul_10, fmaf(mul_12, add_18, fmaf(mul_11, add_19, add_20)), add_25);
    }
    pad_2 = pad_3 + pad_4;
  }

  pad_1_out[element] = pad_1;
  pad_2_out[element] = pad_2;
}

}  // namespace pad

constexpr int kThreads = 32;
constexpr int kBlocks = after::kBlocks;

__global__ void __launch_bounds__(kThreads)
after_2(const __grid_constant__ After2Arrays arrays) {
  const int block = blockIdx.x;
  after::run(block, arrays.after);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < pad::kBlocks; ++i) pad::run(i, arrays.pad);
}

}  // namespace

cudaError_t
enqueue(const After2Arrays& arrays, cudaStream_t stream) {
  return launch(after_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace recurrence_kernels::after_2
