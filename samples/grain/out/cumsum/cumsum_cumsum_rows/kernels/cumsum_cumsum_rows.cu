// cumsum_cumsum_rows: 3 computations, in one launch that divides its blocks among them.
//
//   peaks             8 blocks    reduce-window over f32[8,300]
//   running_product   10 blocks   reduce-window over f32[8,300]
//   sums              8 blocks    reduce-window over f32[8,300]
//
// 26 blocks of 256 threads.

#include "kernels.h"

#include "device/block_scan.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace cumsum_cumsum_rows_kernels::cumsum_cumsum_rows {
namespace {

// peaks: reduce-window over f32[8,300].
//
//   in   x           f32[8,300]
//   out  peaks_out   f32[8,300]
//
//   peaks_out = reduce-window(x, -inf), window={size=1x300 pad=0_0x299_0}, to_apply=maximum
//
// A row a block of 256 threads, which walks along it. Reads 9.6 kB, writes 9.6 kB.
namespace peaks {

constexpr int kRows = 8;
constexpr int kColumns = 300;
constexpr int kThreads = 256;
constexpr int kSteps = (kColumns + kThreads - 1) / kThreads;  // 2
constexpr int kBlocks = kRows;

__device__ void run(int row, const CumsumCumsumRowsArrays::PeaksArrays& arrays) {
  const float* __restrict__ x = arrays.x;
  float* __restrict__ peaks_out = arrays.peaks_out;
  float carry = -INFINITY;
  for (int step = 0; step < kSteps; ++step) {
    const int column = step * kThreads + threadIdx.x;
    float value = -INFINITY;
    if (column < kColumns) value = x[row * kColumns + column];
    const float largest = block_scan<kThreads>(value, Maximum(), &carry);
    if (column < kColumns) peaks_out[row * kColumns + column] = largest;
  }
}

}  // namespace peaks

// running_product: reduce-window over f32[8,300].
//
//   in   p              f32[8,300]
//   out  products_out   f32[8,300]
//
//   products     = reduce-window(transpose(p), 1), window={size=1x8 pad=0_0x7_0}, to_apply=multiply
//   products_out = transpose(products)
//
// 10 blocks of 256 threads. Reads 9.6 kB, writes 9.6 kB.
namespace running_product {

constexpr int kRows = 8;
constexpr int kColumns = 300;
constexpr int kElements = kRows * kColumns;  // 2400
constexpr int kTerms = 8;
constexpr int kThreads = 256;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

__device__ void run(int block, const CumsumCumsumRowsArrays::RunningProductArrays& arrays) {
  const float* __restrict__ p = arrays.p;
  float* __restrict__ products_out = arrays.products_out;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float products = 1.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int in_position = row + k - 7;
    if (in_position < 0) continue;
    products *= p[in_position * kColumns + column];
  }

  products_out[element] = products;
}

}  // namespace running_product

// sums: reduce-window over f32[8,300].
//
//   in   x          f32[8,300]
//   out  sums_out   f32[8,300]
//
//   sums_out = reduce-window(x, 0), window={size=1x300 pad=0_0x299_0}, to_apply=add
//
// A row a block of 256 threads, which walks along it. Reads 9.6 kB, writes 9.6 kB.
namespace sums {

constexpr int kRows = 8;
constexpr int kColumns = 300;
constexpr int kThreads = 256;
constexpr int kSteps = (kColumns + kThreads - 1) / kThreads;  // 2
constexpr int kBlocks = kRows;

__device__ void run(int row, const CumsumCumsumRowsArrays::SumsArrays& arrays) {
  const float* __restrict__ x = arrays.x;
  float* __restrict__ sums_out = arrays.sums_out;
  float carry = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int column = step * kThreads + threadIdx.x;
    float value = 0.0f;
    if (column < kColumns) value = x[row * kColumns + column];
    const float sum = block_scan<kThreads>(value, Add(), &carry);
    if (column < kColumns) sums_out[row * kColumns + column] = sum;
  }
}

}  // namespace sums

constexpr int kThreads = 256;
constexpr int kBlocks = peaks::kBlocks + running_product::kBlocks + sums::kBlocks;

__global__ void __launch_bounds__(kThreads)
cumsum_cumsum_rows(const __grid_constant__ CumsumCumsumRowsArrays arrays) {
  int block = blockIdx.x;
  if (block < peaks::kBlocks) {
    peaks::run(block, arrays.peaks);
    return;
  }
  block -= peaks::kBlocks;
  if (block < running_product::kBlocks) {
    running_product::run(block, arrays.running_product);
    return;
  }
  block -= running_product::kBlocks;
  sums::run(block, arrays.sums);
}

}  // namespace

cudaError_t
enqueue(const CumsumCumsumRowsArrays& arrays, cudaStream_t stream) {
  return launch(cumsum_cumsum_rows, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace cumsum_cumsum_rows_kernels::cumsum_cumsum_rows
