// dot: 2 computations, in one launch that divides its blocks among them.
//
//   dot_1   1 block     dot over f32[]
//   fill    18 blocks   broadcast over f32[24,24]
//
// 19 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {
namespace {

// dot_1: dot over f32[].
//
//   in   b         f32[24,24]
//   out  dot_out   f32[]
//
//   dot_out = dot(reshape(b, [576]), reshape(b, [576]))
//
// One block of 32 threads. Reads 2.3 kB, writes 4 B.
namespace dot_1 {

constexpr int kBlocks = 1;

__device__ void run(const DotArrays::Dot1Arrays& arrays) {
  const auto& [b, dot_out] = arrays;
  if (threadIdx.x > 0) return;

  float dot = 0.0f;
  for (int k = 0; k < 576; ++k) {
    const float b_value = b[k];
    dot = fmaf(b_value, b_value, dot);
  }

  dot_out[0] = dot;
}

}  // namespace dot_1

// fill: broadcast over f32[24,24].
//
//   out  broadcast_in_dim   f32[24,24]
//
//   broadcast_in_dim = 0
//
// 18 blocks of 32 threads. Reads 0 B, writes 2.3 kB.
namespace fill {

constexpr int kElements = 576;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const DotArrays::FillArrays& arrays) {
  const auto& [broadcast_in_dim] = arrays;
  const int element = block * kThreads + threadIdx.x;

  broadcast_in_dim[element] = 0.0f;
}

}  // namespace fill

constexpr int kThreads = 32;
constexpr int kBlocks = dot_1::kBlocks + fill::kBlocks;

__global__ void __launch_bounds__(kThreads)
dot(const __grid_constant__ DotArrays arrays) {
  int block = blockIdx.x;
  if (block < dot_1::kBlocks) {
    dot_1::run(arrays.dot_1);
    return;
  }
  block -= dot_1::kBlocks;
  fill::run(block, arrays.fill);
}

}  // namespace

cudaError_t
launch_dot(const DotArrays& arrays, cudaStream_t stream) {
  return launch(dot, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace conjugate_gradient_kernels
