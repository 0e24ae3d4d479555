// compose_2: 4 computations, in one launch that divides its blocks among them; the last block to
// finish goes on alone.
//
//   compose_3   5 blocks     multiply over f32[8,18]
//   compose_4   5 blocks     multiply, add over f32[8,18]
//   compose_5   3 blocks     multiply, add over f32[8,9]
//   compose_6   last block   multiply, add over f32[8,2]
//
// 13 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace cumsum_recurrence_kernels::compose_2 {
namespace {

// compose_3: multiply over f32[8,18].
//
//   in   compose_5   f32[8,37]
//   out  compose_7   f32[8,18]
//
//   compose_7 = compose_5[:,0:36:2] * compose_5[:,1:37:2]
//
// 5 blocks of 32 threads. Reads 1.2 kB, writes 576 B.
namespace compose_3 {

constexpr int kRows = 8;
constexpr int kColumns = 18;
constexpr int kElements = kRows * kColumns;  // 144
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const Compose2Arrays::Compose3Arrays& arrays) {
  const float* __restrict__ compose_5 = arrays.compose_5;
  float* __restrict__ compose_7 = arrays.compose_7;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 37 + column * 2;

  compose_7[element] = compose_5[index] * compose_5[index + 1];
}

}  // namespace compose_3

// compose_4: multiply, add over f32[8,18].
//
//   in   compose_5   f32[8,37]
//   in   compose_6   f32[8,37]
//   out  compose_8   f32[8,18]
//
//   compose_8 = compose_5[:,1:37:2] * compose_6[:,0:36:2] + compose_6[:,1:37:2]
//
// 5 blocks of 32 threads. Reads 1.7 kB, writes 576 B.
namespace compose_4 {

constexpr int kRows = 8;
constexpr int kColumns = 18;
constexpr int kElements = kRows * kColumns;  // 144
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const Compose2Arrays::Compose4Arrays& arrays) {
  const float* __restrict__ compose_5 = arrays.compose_5;
  const float* __restrict__ compose_6 = arrays.compose_6;
  float* __restrict__ compose_8 = arrays.compose_8;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 37 + column * 2;

  compose_8[element] = fmaf(compose_5[index + 1], compose_6[index], compose_6[index + 1]);
}

}  // namespace compose_4

// compose_5: multiply, add over f32[8,9].
//
//   in   compose_5_in   f32[8,37]
//   in   compose_6      f32[8,37]
//   out  compose_9      f32[8,9]
//   out  compose_10     f32[8,9]
//
//   compose_1  = compose_5_in[:,0:36:2] * compose_5_in[:,1:37:2]
//   compose_2  = compose_5_in[:,1:37:2] * compose_6[:,0:36:2] + compose_6[:,1:37:2]
//   compose_9  = compose_1[:,0:17:2] * compose_1[:,1:18:2]
//   compose_10 = compose_1[:,1:18:2] * compose_2[:,0:17:2] + compose_2[:,1:18:2]
//
// 3 blocks of 32 threads. Reads 2.3 kB, writes 576 B.
namespace compose_5 {

constexpr int kRows = 8;
constexpr int kColumns = 9;
constexpr int kElements = kRows * kColumns;  // 72
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

// Not __restrict__: other parts of the launch read compose_9 and compose_10.
__device__ void run(int block, const Compose2Arrays::Compose5Arrays& arrays) {
  const float* __restrict__ compose_5_in = arrays.compose_5_in;
  const float* __restrict__ compose_6 = arrays.compose_6;
  float* compose_9 = arrays.compose_9;
  float* compose_10 = arrays.compose_10;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 37 + column * 4;
  const float compose_5_value_1 = compose_5_in[index + 1];
  const float compose_5_value_2 = compose_5_in[index + 3];
  const float compose_1 = compose_5_in[index + 2] * compose_5_value_2;
  const float compose_2_1 = fmaf(compose_5_value_1, compose_6[index], compose_6[index + 1]);
  const float compose_2_2 = fmaf(compose_5_value_2, compose_6[index + 2], compose_6[index + 3]);

  compose_9[element] = compose_5_in[index] * compose_5_value_1 * compose_1;
  compose_10[element] = fmaf(compose_1, compose_2_1, compose_2_2);
}

}  // namespace compose_5

// compose_6: multiply, add over f32[8,2].
//
//   in   compose_9    f32[8,9]
//   in   compose_10   f32[8,9]
//   out  compose_11   f32[8,2]
//   out  compose_12   f32[8,2]
//
//   compose_1  = compose_9[:,0:8:2] * compose_9[:,1:9:2]
//   compose_2  = compose_9[:,1:9:2] * compose_10[:,0:8:2] + compose_10[:,1:9:2]
//   compose_11 = compose_1[:,0:3:2] * compose_1[:,1:4:2]
//   compose_12 = compose_1[:,1:4:2] * compose_2[:,0:3:2] + compose_2[:,1:4:2]
//
// One block of 32 threads. Reads 512 B, writes 128 B.
namespace compose_6 {

constexpr int kRows = 8;
constexpr int kColumns = 2;
constexpr int kElements = kRows * kColumns;  // 16
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: other parts of the launch write compose_9 and compose_10.
__device__ void run(const Compose2Arrays::Compose6Arrays& arrays) {
  const auto& [compose_9, compose_10, compose_11, compose_12] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index = row * 9 + column * 4;
  const float compose_9_value_1 = compose_9[index + 1];
  const float compose_9_value_2 = compose_9[index + 3];
  const float compose_1 = compose_9[index + 2] * compose_9_value_2;
  const float compose_2_1 = fmaf(compose_9_value_1, compose_10[index], compose_10[index + 1]);
  const float compose_2_2 = fmaf(compose_9_value_2, compose_10[index + 2], compose_10[index + 3]);

  compose_11[element] = compose_9[index] * compose_9_value_1 * compose_1;
  compose_12[element] = fmaf(compose_1, compose_2_1, compose_2_2);
}

}  // namespace compose_6

constexpr int kThreads = 32;
constexpr int kBlocks = compose_3::kBlocks + compose_4::kBlocks + compose_5::kBlocks;

// What the blocks do before the last goes on.
__device__ void run_parts(const Compose2Arrays& arrays) {
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

__global__ void __launch_bounds__(kThreads)
compose_2(const __grid_constant__ Compose2Arrays arrays) {
  run_parts(arrays);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  compose_6::run(arrays.compose_6);
}

}  // namespace

cudaError_t
enqueue(const Compose2Arrays& arrays, cudaStream_t stream) {
  return launch(compose_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace cumsum_recurrence_kernels::compose_2
