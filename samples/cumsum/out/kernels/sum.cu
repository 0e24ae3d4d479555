// sum: reduce-window over f32[8,300].
//
//   in   x     f32[8,300]
//   out  sum   f32[8,300]
//
//   sum = reduce-window(x, 0), window={size=1x300 pad=0_0x299_0}, to_apply=add
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
sum(const float* __restrict__ x, float* __restrict__ sum_out) {
  const int row = blockIdx.x;

  float carry = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int column = step * kThreads + threadIdx.x;
    float value = 0.0f;
    if (column < kColumns) value = x[row * kColumns + column];
    const float sum_1 = block_scan<kThreads>(value, Add(), &carry);
    if (column < kColumns) sum_out[row * kColumns + column] = sum_1;
  }
}

}  // namespace

cudaError_t
launch_sum(const float* x, float* sum_out, cudaStream_t stream) {
  return launch(sum, {.grid = kRows, .block = kThreads}, stream, x, sum_out);
}

}  // namespace cumsum_kernels
