// cumsum: 3 computations, in one launch that divides its blocks among them.
//
//   running_product   10 blocks   reduce-window over f32[8,300]
//   running_sum       8 blocks    reduce-window over f32[8,300]
//   running_max       8 blocks    reduce-window over f32[8,300]
//
// 26 blocks of 256 threads.

#include "kernels.h"

#include "device/block_scan.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace cumsum_kernels::cumsum {
namespace {

// running_product: reduce-window over f32[8,300].
//
//   in   p                     f32[8,300]
//   out  running_product_out   f32[8,300]
//
//   running_product_out = reduce-window(p, 1), window={size=8x1 pad=7_0x0_0}, to_apply=multiply
//
// 10 blocks of 256 threads. Reads 9.6 kB, writes 9.6 kB.
namespace running_product {

constexpr int kRows = 8;
constexpr int kColumns = 300;
constexpr int kElements = kRows * kColumns;  // 2400
constexpr int kTerms = 8;
constexpr int kThreads = 256;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const CumsumArrays::RunningProductArrays& arrays) {
  const float* __restrict__ p = arrays.p;
  float* __restrict__ running_product_out = arrays.running_product_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float running_product = 1.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int in_position = row + k - 7;
    if (in_position < 0) continue;
    running_product *= p[in_position * kColumns + column];
  }

  running_product_out[element] = running_product;
}

}  // namespace running_product

// running_sum: reduce-window over f32[8,300].
//
//   in   x                 f32[8,300]
//   out  running_sum_out   f32[8,300]
//
//   running_sum_out = reduce-window(x, 0), window={size=1x300 pad=0_0x299_0}, to_apply=add
//
// A row a block of 256 threads, which walks along it. Reads 9.6 kB, writes 9.6 kB.
namespace running_sum {

constexpr int kRows = 8;
constexpr int kColumns = 300;
constexpr int kThreads = 256;
constexpr int kSteps = (kColumns + kThreads - 1) / kThreads;  // 2
constexpr int kBlocks = kRows;

__device__ void run(int row, const CumsumArrays::RunningSumArrays& arrays) {
  const float* __restrict__ x = arrays.x;
  float* __restrict__ running_sum_out = arrays.running_sum_out;
  float carry = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int column = step * kThreads + threadIdx.x;
    float value = 0.0f;
    if (column < kColumns) value = x[row * kColumns + column];
    const float sum = block_scan<kThreads>(value, Add(), &carry);
    if (column < kColumns) running_sum_out[row * kColumns + column] = sum;
  }
}

}  // namespace running_sum

// running_max: reduce-window over f32[8,300].
//
//   in   x                 f32[8,300]
//   out  running_max_out   f32[8,300]
//
//   running_max_out = reduce-window(x, -inf), window={size=1x300 pad=0_0x299_0}, to_apply=maximum
//
// A row a block of 256 threads, which walks along it. Reads 9.6 kB, writes 9.6 kB.
namespace running_max {

constexpr int kRows = 8;
constexpr int kColumns = 300;
constexpr int kThreads = 256;
constexpr int kSteps = (kColumns + kThreads - 1) / kThreads;  // 2
constexpr int kBlocks = kRows;

__device__ void run(int row, const CumsumArrays::RunningMaxArrays& arrays) {
  const float* __restrict__ x = arrays.x;
  float* __restrict__ running_max_out = arrays.running_max_out;
  float carry = -INFINITY;
  for (int step = 0; step < kSteps; ++step) {
    const int column = step * kThreads + threadIdx.x;
    float value = -INFINITY;
    if (column < kColumns) value = x[row * kColumns + column];
    const float largest = block_scan<kThreads>(value, Maximum(), &carry);
    if (column < kColumns) running_max_out[row * kColumns + column] = largest;
  }
}

}  // namespace running_max

constexpr int kThreads = 256;
constexpr int kBlocks = running_product::kBlocks + running_sum::kBlocks + running_max::kBlocks;

__global__ void __launch_bounds__(kThreads)
cumsum(const __grid_constant__ CumsumArrays arrays) {
  int block = blockIdx.x;
  if (block < running_product::kBlocks) {
    running_product::run(block, arrays.running_product);
    return;
  }
  block -= running_product::kBlocks;
  if (block < running_sum::kBlocks) {
    running_sum::run(block, arrays.running_sum);
    return;
  }
  block -= running_sum::kBlocks;
  running_max::run(block, arrays.running_max);
}

}  // namespace

cudaError_t
enqueue(const CumsumArrays& arrays, cudaStream_t stream) {
  return launch(cumsum, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace cumsum_kernels::cumsum
