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
//   in   compose     f32[8,9]
//   in   compose_1   f32[8,9]
//   in   compose_2   f32[8,2]
//   in   compose_3   f32[8,2]
//   out  h_out       f32[8,9]
//
//   compose_4 = compose[:,0:8:2] * compose[:,1:9:2]
//   compose_5 = compose[:,1:9:2] * compose_1[:,0:8:2] + compose_1[:,1:9:2]
//   h_6       = pad(compose_2[:,0], 0, padding=0_0x0_1_1)
//   h_7       = pad(compose_3[:,1] * compose_2[:,0] + compose_2[:,1], 0, padding=0_0x1_0_1)
//   compose_6 = compose_4[:,2:4:2] * (h_6 + h_7)[:,0] + compose_5[:,2:4:2]
//   h_3       = pad(concatenate(compose_5[:,0], compose_6), 0, padding=0_0x0_1_1)
//   h_5       = pad(h_6 + h_7, 0, padding=0_0x1_0_1)
//   h_out     = pad(h_3 + h_5, 0, padding=0_0x1_1_1)
//
// 3 blocks of 32 threads. Reads 320 B, writes 288 B.
namespace h_2 {

constexpr int kElements = 72;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const HArrays::H2Arrays& arrays) {
  const float* __restrict__ compose = arrays.compose;
  const float* __restrict__ compose_1 = arrays.compose_1;
  const float* __restrict__ compose_2 = arrays.compose_2;
  const float* __restrict__ compose_3 = arrays.compose_3;
  float* __restrict__ h_out = arrays.h_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 9;
  const int column = element % 9;

  float h_1 = 0.0f;
  if (column >= 1 && column < 8 && (column + 1) % 2 == 0) {
    float h_3 = 0.0f;
    if ((column + 1) / 2 >= 1 && (column + 1) / 2 < 4) {
      float h_4 = 0.0f;
      if (((column + 1) / 2 + 1) % 2 == 0) {
        if ((column + 3) / 4 < 2) {
          h_4 = fmaf(compose[row * 9 + 1], compose_1[row * 9], compose_1[row * 9 + 1]);
        } else {
          const float compose_value = compose[row * 9 + 5];
          const float compose_4 = compose[row * 9 + 4] * compose_value;
          const float compose_5 =
              fmaf(compose_value, compose_1[row * 9 + 4], compose_1[row * 9 + 5]);
          h_4 = fmaf(compose_4, compose_2[row * 2] + 0.0f, compose_5);
        }
      }
      h_3 = h_4;
    }
    float h_5 = 0.0f;
    if ((column + 1) / 2 >= 2 && (column + 1) / 2 % 2 == 0) {
      const float h_6 =
          (column + 1) / 4 == 1 && ((column + 1) / 4 + 1) % 2 == 0 ? compose_2[row * 2] : 0.0f;
      float h_7 = 0.0f;
      if ((column + 1) / 4 == 2 && (column + 1) / 4 % 2 == 0) {
        h_7 = fmaf(compose_3[row * 2 + 1], compose_2[row * 2], compose_2[row * 2 + 1]);
      }
      h_5 = h_6 + h_7;
    }
    h_1 = h_3 + h_5;
  }

  h_out[element] = h_1;
}

}  // namespace h_2

// h_3: multiply, add over f32[8,9].
//
//   in   compose     f32[8,9]
//   in   compose_1   f32[8,9]
//   in   compose_2   f32[8,2]
//   in   compose_3   f32[8,2]
//   out  h_out       f32[8,9]
//
//   compose_4 = compose_1[:,0:8:2] * compose_1[:,1:9:2]
//   compose_5 = compose_1[:,1:9:2] * compose[:,0:8:2] + compose[:,1:9:2]
//   h_6       = pad(compose_2[:,0], 0, padding=0_0x0_1_1)
//   h_7       = pad(compose_3[:,1] * compose_2[:,0] + compose_2[:,1], 0, padding=0_0x1_0_1)
//   compose_6 = compose_4[:,2:4:2] * (h_6 + h_7)[:,0] + compose_5[:,2:4:2]
//   h_2       = pad(concatenate(compose_5[:,0], compose_6), 0, padding=0_0x0_1_1)
//   h_5       = pad(h_6 + h_7, 0, padding=0_0x1_0_1)
//   h         = concatenate(compose[:,0], compose_1[:,2:9:2] * (h_2 + h_5) + compose[:,2:9:2]),
//               dimensions={1}
//   h_out     = pad(h, 0, padding=0_0x0_0_1)
//
// 3 blocks of 32 threads. Reads 672 B, writes 288 B.
namespace h_3 {

constexpr int kElements = 72;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const HArrays::H3Arrays& arrays) {
  const float* __restrict__ compose = arrays.compose;
  const float* __restrict__ compose_1 = arrays.compose_1;
  const float* __restrict__ compose_2 = arrays.compose_2;
  const float* __restrict__ compose_3 = arrays.compose_3;
  float* __restrict__ h_out = arrays.h_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 9;
  const int column = element % 9;

  const int index = row * 9 + column / 2 * 2;
  float h_1 = 0.0f;
  if (column % 2 == 0) {
    if (column / 2 == 0) {
      h_1 = compose[row * 9];
    } else {
      float h_2 = 0.0f;
      if (column / 2 >= 1 && column / 2 < 4) {
        float h_4 = 0.0f;
        if ((column / 2 + 1) % 2 == 0) {
          if ((column + 2) / 4 < 2) {
            h_4 = fmaf(compose_1[row * 9 + 1], compose[row * 9], compose[row * 9 + 1]);
          } else {
            const float compose_1_value = compose_1[row * 9 + 5];
            const float compose_4 = compose_1[row * 9 + 4] * compose_1_value;
            const float compose_5 =
                fmaf(compose_1_value, compose[row * 9 + 4], compose[row * 9 + 5]);
            h_4 = fmaf(compose_4, compose_2[row * 2] + 0.0f, compose_5);
          }
        }
        h_2 = h_4;
      }
      float h_5 = 0.0f;
      if (column / 2 >= 2 && column / 2 % 2 == 0) {
        const float h_6 = column / 4 == 1 && (column / 4 + 1) % 2 == 0 ? compose_2[row * 2] : 0.0f;
        float h_7 = 0.0f;
        if (column / 4 == 2 && column / 4 % 2 == 0) {
          h_7 = fmaf(compose_3[row * 2 + 1], compose_2[row * 2], compose_2[row * 2 + 1]);
        }
        h_5 = h_6 + h_7;
      }
      h_1 = fmaf(compose_1[index], h_2 + h_5, compose[index]);
    }
  }

  h_out[element] = h_1;
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
