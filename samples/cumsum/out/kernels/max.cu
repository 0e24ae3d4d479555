// max: reduce-window over f32[8,300].
//
//   in   x     f32[8,300]
//   out  max   f32[8,300]
//
//   max = reduce-window(x, -inf), window={size=1x300 pad=0_0x299_0}, to_apply=maximum
//
// A row a block of 256 threads, which walks along it. Reads 9.6 kB, writes 9.6 kB.

#include "kernels.h"

#include "device/block_scan.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace cumsum_kernels {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 300;
constexpr int kThreads = 256;
constexpr int kSteps = (kColumns + kThreads - 1) / kThreads;  // 2

__global__ void __launch_bounds__(kThreads)
max(const float* __restrict__ x, float* __restrict__ max_out) {
  const int row = blockIdx.x;

  float carry = -INFINITY;
  for (int step = 0; step < kSteps; ++step) {
    const int column = step * kThreads + threadIdx.x;
    float value = -INFINITY;
    if (column < kColumns) value = x[row * kColumns + column];
    const float largest = block_scan<kThreads>(value, Maximum(), &carry);
    if (column < kColumns) max_out[row * kColumns + column] = largest;
  }
}

}  // namespace

cudaError_t
launch_max(const float* x, float* max_out, cudaStream_t stream) {
  return launch(max, {.grid = kRows, .block = kThreads}, stream, x, max_out);
}

}  // namespace cumsum_kernels
