// h: 2 computations, in one launch that divides its blocks among them.
//
//   h_2   3 blocks   multiply, add over f32[8,9]
//   h_3   3 blocks   multiply, add over f32[8,9]
//
// 6 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace cumsum_recurrence_kernels::h {
namespace {

// h_2: multiply, add over f32[8,9].
//
//   in   compose_7    f32[8,9]
//   in   compose_8    f32[8,9]
//   in   compose_10   f32[8,2]
//   in   compose_9    f32[8,2]
//   out  h_2_out      f32[8,9]
//
//   compose_1 = compose_7[:,0:8:2] * compose_7[:,1:9:2]
//   compose_2 = compose_7[:,1:9:2] * compose_8[:,0:8:2] + compose_8[:,1:9:2]
//   h_5       = pad(compose_10[:,0], 0, padding=0_0x0_1_1)
//   h_6       = pad(compose_9[:,1] * compose_10[:,0] + compose_10[:,1], 0, padding=0_0x1_0_1)
//   compose   = compose_1[:,2:4:2] * (h_5 + h_6)[:,0] + compose_2[:,2:4:2]
//   h_1       = pad(concatenate(compose_2[:,0], compose), 0, padding=0_0x0_1_1)
//   h_4       = pad(h_5 + h_6, 0, padding=0_0x1_0_1)
//   h_2_out   = pad(h_1 + h_4, 0, padding=0_0x1_1_1)
//
// 3 blocks of 32 threads. Reads 320 B, writes 288 B.
namespace h_2 {

constexpr int kRows = 8;
constexpr int kColumns = 9;
constexpr int kElements = kRows * kColumns;  // 72
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const HArrays::H2Arrays& arrays) {
  const float* __restrict__ compose_7 = arrays.compose_7;
  const float* __restrict__ compose_8 = arrays.compose_8;
  const float* __restrict__ compose_10 = arrays.compose_10;
  const float* __restrict__ compose_9 = arrays.compose_9;
  float* __restrict__ h_2_out = arrays.h_2_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float h_2 = 0.0f;
  if (column >= 1 && column < 8 && (column + 1) % 2 == 0) {
    float h_1 = 0.0f;
    if ((column + 1) / 2 >= 1 && (column + 1) / 2 < 4) {
      float h_3 = 0.0f;
      if (((column + 1) / 2 + 1) % 2 == 0) {
        if ((column + 3) / 4 < 2) {
          h_3 = fmaf(compose_7[row * 9 + 1], compose_8[row * 9], compose_8[row * 9 + 1]);
        } else {
          const float compose_7_value = compose_7[row * 9 + 5];
          const float compose_1 = compose_7[row * 9 + 4] * compose_7_value;
          const float compose_2 =
              fmaf(compose_7_value, compose_8[row * 9 + 4], compose_8[row * 9 + 5]);
          h_3 = fmaf(compose_1, compose_10[row * 2] + 0.0f, compose_2);
        }
      }
      h_1 = h_3;
    }
    float h_4 = 0.0f;
    if ((column + 1) / 2 >= 2 && (column + 1) / 2 % 2 == 0) {
      const float h_5 =
          (column + 1) / 4 == 1 && ((column + 1) / 4 + 1) % 2 == 0 ? compose_10[row * 2] : 0.0f;
      float h_6 = 0.0f;
      if ((column + 1) / 4 == 2 && (column + 1) / 4 % 2 == 0) {
        const float compose_10_value = compose_10[row * 2 + 1];
        h_6 = fmaf(compose_9[row * 2 + 1], compose_10[row * 2], compose_10_value);
      }
      h_4 = h_5 + h_6;
    }
    h_2 = h_1 + h_4;
  }

  h_2_out[element] = h_2;
}

}  // namespace h_2

// h_3: multiply, add over f32[8,9].
//
//   in   compose_8    f32[8,9]
//   in   compose_7    f32[8,9]
//   in   compose_10   f32[8,2]
//   in   compose_9    f32[8,2]
//   out  h_3_out      f32[8,9]
//
//   compose_1 = compose_7[:,0:8:2] * compose_7[:,1:9:2]
//   compose_2 = compose_7[:,1:9:2] * compose_8[:,0:8:2] + compose_8[:,1:9:2]
//   h_5       = pad(compose_10[:,0], 0, padding=0_0x0_1_1)
//   h_6       = pad(compose_9[:,1] * compose_10[:,0] + compose_10[:,1], 0, padding=0_0x1_0_1)
//   compose   = compose_1[:,2:4:2] * (h_5 + h_6)[:,0] + compose_2[:,2:4:2]
//   h_1       = pad(concatenate(compose_2[:,0], compose), 0, padding=0_0x0_1_1)
//   h_4       = pad(h_5 + h_6, 0, padding=0_0x1_0_1)
//   compose_3 = compose_7[:,2:9:2] * (h_1 + h_4) + compose_8[:,2:9:2]
//   h_3_out   = pad(concatenate(compose_8[:,0], compose_3), 0, padding=0_0x0_0_1)
//
// 3 blocks of 32 threads. Reads 672 B, writes 288 B.
namespace h_3 {

constexpr int kRows = 8;
constexpr int kColumns = 9;
constexpr int kElements = kRows * kColumns;  // 72
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const HArrays::H3Arrays& arrays) {
  const float* __restrict__ compose_8 = arrays.compose_8;
  const float* __restrict__ compose_7 = arrays.compose_7;
  const float* __restrict__ compose_10 = arrays.compose_10;
  const float* __restrict__ compose_9 = arrays.compose_9;
  float* __restrict__ h_3_out = arrays.h_3_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 9 + column / 2 * 2;
  float h_3 = 0.0f;
  if (column % 2 == 0) {
    if (column / 2 == 0) {
      h_3 = compose_8[row * 9];
    } else {
      float h_1 = 0.0f;
      if (column / 2 >= 1 && column / 2 < 4) {
        float h_2 = 0.0f;
        if ((column / 2 + 1) % 2 == 0) {
          if ((column + 2) / 4 < 2) {
            h_2 = fmaf(compose_7[row * 9 + 1], compose_8[row * 9], compose_8[row * 9 + 1]);
          } else {
            const float compose_7_value = compose_7[row * 9 + 5];
            const float compose_1 = compose_7[row * 9 + 4] * compose_7_value;
            const float compose_2 =
                fmaf(compose_7_value, compose_8[row * 9 + 4], compose_8[row * 9 + 5]);
            h_2 = fmaf(compose_1, compose_10[row * 2] + 0.0f, compose_2);
          }
        }
        h_1 = h_2;
      }
      float h_4 = 0.0f;
      if (column / 2 >= 2 && column / 2 % 2 == 0) {
        const float h_5 = column / 4 == 1 && (column / 4 + 1) % 2 == 0 ? compose_10[row * 2] : 0.0f;
        float h_6 = 0.0f;
        if (column / 4 == 2 && column / 4 % 2 == 0) {
          const float compose_10_value = compose_10[row * 2 + 1];
          h_6 = fmaf(compose_9[row * 2 + 1], compose_10[row * 2], compose_10_value);
        }
        h_4 = h_5 + h_6;
      }
      h_3 = fmaf(compose_7[index], h_1 + h_4, compose_8[index]);
    }
  }

  h_3_out[element] = h_3;
}

}  // namespace h_3

constexpr int kThreads = 32;
constexpr int kBlocks = h_2::kBlocks + h_3::kBlocks;

__global__ void __launch_bounds__(kThreads)
h(const __grid_constant__ HArrays arrays) {
  int block = blockIdx.x;
  if (block < h_2::kBlocks) {
    h_2::run(block, arrays.h_2);
    return;
  }
  block -= h_2::kBlocks;
  h_3::run(block, arrays.h_3);
}

}  // namespace

cudaError_t
enqueue(const HArrays& arrays, cudaStream_t stream) {
  return launch(h, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace cumsum_recurrence_kernels::h
