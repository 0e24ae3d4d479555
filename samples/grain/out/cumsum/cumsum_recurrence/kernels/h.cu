// h: 2 computations, in one launch that divides its blocks among them.
//
//   h_3   3 blocks   multiply, add over f32[8,9]
//   h_4   3 blocks   multiply, add over f32[8,9]
//
// 6 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace cumsum_recurrence_kernels::h {
namespace {

// h_3: multiply, add over f32[8,9].
//
//   in   compose_9    f32[8,9]
//   in   compose_10   f32[8,9]
//   in   compose_12   f32[8,2]
//   in   compose_11   f32[8,2]
//   out  h_3_out      f32[8,9]
//
//   compose_1 = compose_9[:,0:8:2] * compose_9[:,1:9:2]
//   compose_2 = compose_9[:,1:9:2] * compose_10[:,0:8:2] + compose_10[:,1:9:2]
//   h_4       = pad(compose_11[:,1] * compose_12[:,0] + compose_12[:,1], 0, padding=0_0x1_0_1)
//   h         = pad(compose_12[:,0], 0, padding=0_0x0_1_1) + h_4
//   h_5       = concatenate(compose_2[:,0], compose_1[:,2:4:2] * h[:,0] + compose_2[:,2:4:2]),
//               dimensions={1}
//   h_1       = pad(h_5, 0, padding=0_0x0_1_1)
//   h_2       = pad(h, 0, padding=0_0x1_0_1)
//   h_3_out   = pad(h_1 + h_2, 0, padding=0_0x1_1_1)
//
// 3 blocks of 32 threads. Reads 320 B, writes 288 B.
namespace h_3 {

constexpr int kRows = 8;
constexpr int kColumns = 9;
constexpr int kElements = kRows * kColumns;  // 72
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const HArrays::H3Arrays& arrays) {
  const float* __restrict__ compose_9 = arrays.compose_9;
  const float* __restrict__ compose_10 = arrays.compose_10;
  const float* __restrict__ compose_12 = arrays.compose_12;
  const float* __restrict__ compose_11 = arrays.compose_11;
  float* __restrict__ h_3_out = arrays.h_3_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float h_3 = 0.0f;
  if (column >= 1 && column < kColumns - 1 && (column + 1) % 2 == 0) {
    float h_1 = 0.0f;
    if ((column + 1) / 2 < 4 && ((column + 1) / 2 + 1) % 2 == 0) {
      if ((column + 3) / 4 < 2) {
        const float compose_10_value_1 = compose_10[row * 9 + 1];
        h_1 = fmaf(compose_9[row * 9 + 1], compose_10[row * 9], compose_10_value_1);
      } else {
        const float compose_9_value = compose_9[row * 9 + 5];
        const float compose_1 = compose_9[row * 9 + 4] * compose_9_value;
        const float compose_10_value_2 = compose_10[row * 9 + 4];
        const float compose_10_value_3 = compose_10[row * 9 + 5];
        const float compose_2 = fmaf(compose_9_value, compose_10_value_2, compose_10_value_3);
        h_1 = fmaf(compose_1, compose_12[row * 2] + 0.0f, compose_2);
      }
    }
    float h_2 = 0.0f;
    if ((column + 1) / 2 >= 2 && (column + 1) / 2 % 2 == 0) {
      float h_4_1 = 0.0f;
      if ((column + 1) / 4 == 2) {
        const float compose_11_value = compose_11[row * 2 + 1];
        const float compose_12_value = compose_12[row * 2 + 1];
        const float h_4_2 = fmaf(compose_11_value, compose_12[row * 2], compose_12_value);
        h_4_1 = h_4_2;
      }
      h_2 = ((column + 1) / 4 < 2 ? compose_12[row * 2] : 0.0f) + h_4_1;
    }
    h_3 = h_1 + h_2;
  }

  h_3_out[element] = h_3;
}

}  // namespace h_3

// h_4: multiply, add over f32[8,9].
//
//   in   compose_10   f32[8,9]
//   in   compose_9    f32[8,9]
//   in   compose_12   f32[8,2]
//   in   compose_11   f32[8,2]
//   out  h_4_out      f32[8,9]
//
//   compose_1 = compose_9[:,0:8:2] * compose_9[:,1:9:2]
//   compose_2 = compose_9[:,1:9:2] * compose_10[:,0:8:2] + compose_10[:,1:9:2]
//   h_3       = pad(compose_11[:,1] * compose_12[:,0] + compose_12[:,1], 0, padding=0_0x1_0_1)
//   h         = pad(compose_12[:,0], 0, padding=0_0x0_1_1) + h_3
//   h_5       = concatenate(compose_2[:,0], compose_1[:,2:4:2] * h[:,0] + compose_2[:,2:4:2]),
//               dimensions={1}
//   h_1       = pad(h_5, 0, padding=0_0x0_1_1)
//   h_2       = pad(h, 0, padding=0_0x1_0_1)
//   compose   = compose_9[:,2:9:2] * (h_1 + h_2) + compose_10[:,2:9:2]
//   h_4_out   = pad(concatenate(compose_10[:,0], compose), 0, padding=0_0x0_0_1)
//
// 3 blocks of 32 threads. Reads 672 B, writes 288 B.
namespace h_4 {

constexpr int kRows = 8;
constexpr int kColumns = 9;
constexpr int kElements = kRows * kColumns;  // 72
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const HArrays::H4Arrays& arrays) {
  const float* __restrict__ compose_10 = arrays.compose_10;
  const float* __restrict__ compose_9 = arrays.compose_9;
  const float* __restrict__ compose_12 = arrays.compose_12;
  const float* __restrict__ compose_11 = arrays.compose_11;
  float* __restrict__ h_4_out = arrays.h_4_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 9 + column / 2 * 2;
  float h_4 = 0.0f;
  if (column % 2 == 0) {
    if (column / 2 == 0) {
      h_4 = compose_10[row * 9];
    } else {
      float h_1 = 0.0f;
      if (column / 2 < 4 && (column / 2 + 1) % 2 == 0) {
        if ((column + 2) / 4 < 2) {
          const float compose_10_value_1 = compose_10[row * 9 + 1];
          h_1 = fmaf(compose_9[row * 9 + 1], compose_10[row * 9], compose_10_value_1);
        } else {
          const float compose_9_value = compose_9[row * 9 + 5];
          const float compose_1 = compose_9[row * 9 + 4] * compose_9_value;
          const float compose_10_value_2 = compose_10[row * 9 + 4];
          const float compose_10_value_3 = compose_10[row * 9 + 5];
          const float compose_2 = fmaf(compose_9_value, compose_10_value_2, compose_10_value_3);
          h_1 = fmaf(compose_1, compose_12[row * 2] + 0.0f, compose_2);
        }
      }
      float h_2 = 0.0f;
      if (column / 2 >= 2 && column / 2 % 2 == 0) {
        float h_3_1 = 0.0f;
        if (column / 4 == 2) {
          const float compose_11_value = compose_11[row * 2 + 1];
          const float compose_12_value = compose_12[row * 2 + 1];
          const float h_3_2 = fmaf(compose_11_value, compose_12[row * 2], compose_12_value);
          h_3_1 = h_3_2;
        }
        h_2 = (column / 4 < 2 ? compose_12[row * 2] : 0.0f) + h_3_1;
      }
      h_4 = fmaf(compose_9[index], h_1 + h_2, compose_10[index]);
    }
  }

  h_4_out[element] = h_4;
}

}  // namespace h_4

constexpr int kThreads = 32;
constexpr int kBlocks = h_3::kBlocks + h_4::kBlocks;

__global__ void __launch_bounds__(kThreads)
h(const __grid_constant__ HArrays arrays) {
  int block = blockIdx.x;
  if (block < h_3::kBlocks) {
    h_3::run(block, arrays.h_3);
    return;
  }
  block -= h_3::kBlocks;
  h_4::run(block, arrays.h_4);
}

}  // namespace

cudaError_t
enqueue(const HArrays& arrays, cudaStream_t stream) {
  return launch(h, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace cumsum_recurrence_kernels::h
