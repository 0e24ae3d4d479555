// kernel: 2 computations, in one launch that divides its blocks among them.
//
//   kernel_2   72 blocks   reduce, subtract, multiply over f32[48,48]
//   kernel_3   24 blocks   reduce, subtract, multiply over f32[16,48]
//
// 96 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"

namespace cholesky_solve_kernels::kernel {
namespace {

// kernel_2: reduce, subtract, multiply over f32[48,48].
//
//   in   x   f32[48,3]
//   out  k   f32[48,48]
//
//   k_1 = broadcast(x, {0,2}) - broadcast(x, {1,2})
//   k   = reduce(k_1 * k_1, 0), dimensions={2}, to_apply=add
//
// 72 blocks of 32 threads. Reads 576 B, writes 9.2 kB.
namespace kernel_2 {

constexpr int kRows = 48;
constexpr int kColumns = 48;
constexpr int kElements = kRows * kColumns;  // 2304
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const KernelArrays::Kernel2Arrays& arrays) {
  const float* __restrict__ x = arrays.x;
  float* __restrict__ k = arrays.k;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float k_1_1 = x[row * 3] - x[column * 3];
  const float k_1_2 = x[row * 3 + 1] - x[column * 3 + 1];
  const float k_1_3 = x[row * 3 + 2] - x[column * 3 + 2];

  k[element] = k_1_1 * k_1_1 + k_1_2 * k_1_2 + k_1_3 * k_1_3;
}

}  // namespace kernel_2

// kernel_3: reduce, subtract, multiply over f32[16,48].
//
//   in   x         f32[48,3]
//   in   queries   f32[16,3]
//   out  k_2       f32[16,48]
//
//   k_1 = broadcast(queries) - broadcast(x)
//   k_2 = reduce(k_1 * k_1, 0), dimensions={2}, to_apply=add
//
// 24 blocks of 32 threads. Reads 768 B, writes 3.1 kB.
namespace kernel_3 {

constexpr int kRows = 16;
constexpr int kColumns = 48;
constexpr int kElements = kRows * kColumns;  // 768
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const KernelArrays::Kernel3Arrays& arrays) {
  const float* __restrict__ x = arrays.x;
  const float* __restrict__ queries = arrays.queries;
  float* __restrict__ k_2 = arrays.k_2;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float k_1_1 = queries[row * 3] - x[column * 3];
  const float k_1_2 = queries[row * 3 + 1] - x[column * 3 + 1];
  const float k_1_3 = queries[row * 3 + 2] - x[column * 3 + 2];

  k_2[element] = k_1_1 * k_1_1 + k_1_2 * k_1_2 + k_1_3 * k_1_3;
}

}  // namespace kernel_3

constexpr int kThreads = 32;
constexpr int kBlocks = kernel_2::kBlocks + kernel_3::kBlocks;

__global__ void __launch_bounds__(kThreads)
kernel(const __grid_constant__ KernelArrays arrays) {
  int block = blockIdx.x;
  if (block < kernel_2::kBlocks) {
    kernel_2::run(block, arrays.kernel_2);
    return;
  }
  block -= kernel_2::kBlocks;
  kernel_3::run(block, arrays.kernel_3);
}

}  // namespace

cudaError_t
enqueue(const KernelArrays& arrays, cudaStream_t stream) {
  return launch(kernel, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace cholesky_solve_kernels::kernel
