// compose: 3 computations, in one launch that divides its blocks among them.
//
//   compose_3   19 blocks   multiply over f32[8,75]
//   compose_4   19 blocks   multiply, add over f32[8,75]
//   compose_5   10 blocks   multiply, add over f32[8,37]
//
// 48 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace cumsum_recurrence_kernels::compose {
namespace {

// compose_3: multiply over f32[8,75].
//
//   in   a               f32[8,300]
//   out  compose_3_out   f32[8,75]
//
//   compose       = a[:,0:299:2] * a[:,1:300:2]
//   compose_3_out = compose[:,0:149:2] * compose[:,1:150:2]
//
// 19 blocks of 32 threads. Reads 9.6 kB, writes 2.4 kB.
namespace compose_3 {

constexpr int kElements = 600;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const ComposeArrays::Compose3Arrays& arrays) {
  const float* __restrict__ a = arrays.a;
  float* __restrict__ compose_3_out = arrays.compose_3_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float compose = a[element * 4 + 2] * a[element * 4 + 3];

  compose_3_out[element] = a[element * 4] * a[element * 4 + 1] * compose;
}

}  // namespace compose_3

// compose_4: multiply, add over f32[8,75].
//
//   in   a               f32[8,300]
//   in   b               f32[8,300]
//   out  compose_4_out   f32[8,75]
//
//   compose       = a[:,1:300:2] * b[:,0:299:2] + b[:,1:300:2]
//   compose_3     = (a[:,0:299:2] * a[:,1:300:2])[:,1:150:2] * compose[:,0:149:2]
//   compose_4_out = compose_3 + compose[:,1:150:2]
//
// 19 blocks of 32 threads. Reads 16.8 kB, writes 2.4 kB.
namespace compose_4 {

constexpr int kElements = 600;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const ComposeArrays::Compose4Arrays& arrays) {
  const float* __restrict__ a = arrays.a;
  const float* __restrict__ b = arrays.b;
  float* __restrict__ compose_4_out = arrays.compose_4_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float a_value = a[element * 4 + 3];
  const float compose_1 = fmaf(a[element * 4 + 1], b[element * 4], b[element * 4 + 1]);
  const float compose_2 = fmaf(a_value, b[element * 4 + 2], b[element * 4 + 3]);

  compose_4_out[element] = fmaf(a[element * 4 + 2] * a_value, compose_1, compose_2);
}

}  // namespace compose_4

// compose_5: multiply, add over f32[8,37].
//
//   in   a               f32[8,300]
//   in   b               f32[8,300]
//   out  compose_5_out   f32[8,37]
//   out  compose_6       f32[8,37]
//
//   compose_1     = a[:,0:299:2] * a[:,1:300:2]
//   compose_3     = a[:,1:300:2] * b[:,0:299:2] + b[:,1:300:2]
//   compose_2     = compose_1[:,0:149:2] * compose_1[:,1:150:2]
//   compose_4     = compose_1[:,1:150:2] * compose_3[:,0:149:2] + compose_3[:,1:150:2]
//   compose_5_out = compose_2[:,0:74:2] * compose_2[:,1:75:2]
//   compose_6     = compose_2[:,1:75:2] * compose_4[:,0:74:2] + compose_4[:,1:75:2]
//
// 10 blocks of 32 threads. Reads 18.9 kB, writes 2.4 kB.
namespace compose_5 {

constexpr int kRows = 8;
constexpr int kColumns = 37;
constexpr int kElements = kRows * kColumns;  // 296
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const ComposeArrays::Compose5Arrays& arrays) {
  const float* __restrict__ a = arrays.a;
  const float* __restrict__ b = arrays.b;
  float* __restrict__ compose_5_out = arrays.compose_5_out;
  float* __restrict__ compose_6 = arrays.compose_6;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 75 + column * 2;
  const float a_value_1 = a[index * 4 + 1];
  const float a_value_2 = a[index * 4 + 3];
  const float compose_1_1 = a[index * 4 + 2] * a_value_2;
  const float a_value_3 = a[index * 4 + 5];
  const float a_value_4 = a[index * 4 + 7];
  const float compose_1_2 = a[index * 4 + 6] * a_value_4;
  const float compose_2 = a[index * 4 + 4] * a_value_3 * compose_1_2;
  const float compose_3_1 = fmaf(a_value_2, b[index * 4 + 2], b[index * 4 + 3]);
  const float compose_4 =
      fmaf(compose_1_1, fmaf(a_value_1, b[index * 4], b[index * 4 + 1]), compose_3_1);
  const float compose_3_2 = fmaf(a_value_3, b[index * 4 + 4], b[index * 4 + 5]);
  const float compose_3_3 = fmaf(a_value_4, b[index * 4 + 6], b[index * 4 + 7]);

  compose_5_out[element] = a[index * 4] * a_value_1 * compose_1_1 * compose_2;
  compose_6[element] = fmaf(compose_2, compose_4, fmaf(compose_1_2, compose_3_2, compose_3_3));
}

}  // namespace compose_5

constexpr int kThreads = 32;
constexpr int kBlocks = compose_3::kBlocks + compose_4::kBlocks + compose_5::kBlocks;

__global__ void __launch_bounds__(kThreads)
compose(const __grid_constant__ ComposeArrays arrays) {
  int block = blockIdx.x;
  if (block < compose_3::kBlocks) {
    compose_3::run(block, arrays.compose_3);
    return;
  }
  block -= compose_3::kBlocks;
  if (block < compose_4::kBlocks) {
    compose_4::run(block, arrays.compose_4);
    return;
  }
  block -= compose_4::kBlocks;
  compose_5::run(block, arrays.compose_5);
}

}  // namespace

cudaError_t
enqueue(const ComposeArrays& arrays, cudaStream_t stream) {
  return launch(compose, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace cumsum_recurrence_kernels::compose
