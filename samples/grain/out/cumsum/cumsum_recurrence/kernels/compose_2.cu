// compose_2: 4 computations, in one launch that divides its blocks among them; the last block to
// finish goes on alone.
//
//   compose     5 blocks     multiply over f32[8,18]
//   compose_3   5 blocks     multiply, add over f32[8,18]
//   compose_4   3 blocks     multiply, add over f32[8,9]
//   compose_5   last block   multiply, add over f32[8,2]
//
// 13 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace cumsum_recurrence_kernels::compose_2 {
namespace {

// compose: multiply over f32[8,18].
//
//   in   compose_in    f32[8,37]
//   out  compose_out   f32[8,18]
//
//   compose_out = compose_in[:,0:36:2] * compose_in[:,1:37:2]
//
// 5 blocks of 32 threads. Reads 1.2 kB, writes 576 B.
namespace compose {

constexpr int kElements = 144;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const Compose2Arrays::ComposeArrays& arrays) {
  const float* __restrict__ compose_in = arrays.compose_in;
  float* __restrict__ compose_out = arrays.compose_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 18;
  const int column = element % 18;

  const int index = row * 37 + column * 2;

  compose_out[element] = compose_in[index] * compose_in[index + 1];
}

}  // namespace compose

// compose_3: multiply, add over f32[8,18].
//
//   in   compose_in     f32[8,37]
//   in   compose_1_in   f32[8,37]
//   out  compose_out    f32[8,18]
//
//   compose_out = compose_in[:,1:37:2] * compose_1_in[:,0:36:2] + compose_1_in[:,1:37:2]
//
// 5 blocks of 32 threads. Reads 1.7 kB, writes 576 B.
namespace compose_3 {

constexpr int kElements = 144;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const Compose2Arrays::Compose3Arrays& arrays) {
  const float* __restrict__ compose_in = arrays.compose_in;
  const float* __restrict__ compose_1_in = arrays.compose_1_in;
  float* __restrict__ compose_out = arrays.compose_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 18;
  const int column = element % 18;

  const int index = row * 37 + column * 2;

  compose_out[element] = fmaf(compose_in[index + 1], compose_1_in[index], compose_1_in[index + 1]);
}

}  // namespace compose_3

// compose_4: multiply, add over f32[8,9].
//
//   in   compose_in      f32[8,37]
//   in   compose_1_in    f32[8,37]
//   out  compose_1_out   f32[8,9]
//   out  compose_2_out   f32[8,9]
//
//   compose_1     = compose_in[:,0:36:2] * compose_in[:,1:37:2]
//   compose_2     = compose_in[:,1:37:2] * compose_1_in[:,0:36:2] + compose_1_in[:,1:37:2]
//   compose_1_out = compose_1[:,0:17:2] * compose_1[:,1:18:2]
//   compose_2_out = compose_1[:,1:18:2] * compose_2[:,0:17:2] + compose_2[:,1:18:2]
//
// 3 blocks of 32 threads. Reads 2.3 kB, writes 576 B.
namespace compose_4 {

constexpr int kElements = 72;
constexpr int kThreads = 32;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const Compose2Arrays::Compose4Arrays& arrays) {
  const float* __restrict__ compose_in = arrays.compose_in;
  const float* __restrict__ compose_1_in = arrays.compose_1_in;
  float* compose_1_out = arrays.compose_1_out;
  float* compose_2_out = arrays.compose_2_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 9;
  const int column = element % 9;

  const int index = row * 37 + column * 4;
  const float compose_value_1 = compose_in[index + 1];
  const float compose_value_2 = compose_in[index + 3];
  const float compose_1 = compose_in[index + 2] * compose_value_2;
  const float compose_2 = fmaf(compose_value_1, compose_1_in[index], compose_1_in[index + 1]);
  const float compose_3 = fmaf(compose_value_2, compose_1_in[index + 2], compose_1_in[index + 3]);

  compose_1_out[element] = compose_in[index] * compose_value_1 * compose_1;
  compose_2_out[element] = fmaf(compose_1, compose_2, compose_3);
}

}  // namespace compose_4

// compose_5: multiply, add over f32[8,2].
//
//   in   compose_in      f32[8,9]
//   in   compose_1_in    f32[8,9]
//   out  compose_1_out   f32[8,2]
//   out  compose_2_out   f32[8,2]
//
//   compose_1     = compose_in[:,0:8:2] * compose_in[:,1:9:2]
//   compose_2     = compose_in[:,1:9:2] * compose_1_in[:,0:8:2] + compose_1_in[:,1:9:2]
//   compose_1_out = compose_1[:,0:3:2] * compose_1[:,1:4:2]
//   compose_2_out = compose_1[:,1:4:2] * compose_2[:,0:3:2] + compose_2[:,1:4:2]
//
// One block of 32 threads. Reads 512 B, writes 128 B.
namespace compose_5 {

constexpr int kElements = 16;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__device__ void run(const Compose2Arrays::Compose5Arrays& arrays) {
  const float* compose_in = arrays.compose_in;
  const float* compose_1_in = arrays.compose_1_in;
  float* __restrict__ compose_1_out = arrays.compose_1_out;
  float* __restrict__ compose_2_out = arrays.compose_2_out;
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 2;
  const int column = element % 2;

  const int index = row * 9 + column * 4;
  const float compose_value_1 = compose_in[index + 1];
  const float compose_value_2 = compose_in[index + 3];
  const float compose_1 = compose_in[index + 2] * compose_value_2;
  const float compose_2 = fmaf(compose_value_1, compose_1_in[index], compose_1_in[index + 1]);
  const float compose_3 = fmaf(compose_value_2, compose_1_in[index + 2], compose_1_in[index + 3]);

  compose_1_out[element] = compose_in[index] * compose_value_1 * compose_1;
  compose_2_out[element] = fmaf(compose_1, compose_2, compose_3);
}

}  // namespace compose_5

constexpr int kThreads = 32;
constexpr int kBlocks = compose::kBlocks + compose_3::kBlocks + compose_4::kBlocks;

// What the blocks do before the last goes on.
__device__ void run_parts(const Compose2Arrays& arrays) {
  int block = blockIdx.x;
  if (block < compose::kBlocks) {
    compose::run(block, arrays.compose);
    return;
  }
  block -= compose::kBlocks;
  if (block < compose_3::kBlocks) {
    compose_3::run(block, arrays.compose_3);
    return;
  }
  block -= compose_3::kBlocks;
  compose_4::run(block, arrays.compose_4);
}

__global__ void __launch_bounds__(kThreads)
compose_2(const __grid_constant__ Compose2Arrays arrays) {
  run_parts(arrays);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  compose_5::run(arrays.compose_5);
}

}  // namespace

cudaError_t
enqueue(const Compose2Arrays& arrays, cudaStream_t stream) {
  return launch(compose_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace cumsum_recurrence_kernels::compose_2
