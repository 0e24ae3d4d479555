// product_sum: reduce, multiply, maximum, divide, compare, ... over f32[4,32].
//
//   in   tokens    s32[4,24]
//   in   x         f32[4,24,32]
//   in   count_2   s32[4,1]
//   out  ratio     f32[4,32]
//
//   as_float    = f32(tokens != 0)
//   product_sum = reduce(x * broadcast(as_float), 0), dimensions={1}, to_apply=add
//   ratio       = product_sum / broadcast(f32(maximum(count_2, 1)))
//
// 4 blocks of 32 threads. Reads 12.7 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace embedding_lookup_kernels::product_sum {
namespace {

constexpr int kRows = 4;
constexpr int kColumns = 32;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kTerms = 24;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
product_sum(const int* __restrict__ tokens,
            const float* __restrict__ x,
            const int* __restrict__ count_2,
            float* __restrict__ ratio) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float product_sum = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const float as_float = tokens[row * kTerms + k] != 0 ? 1.0f : 0.0f;
    product_sum += x[(row * kTerms + k) * kColumns + column] * as_float;
  }

  ratio[element] = product_sum / float(maximum(count_2[row], 1));
}

}  // namespace

cudaError_t
enqueue(const int* tokens, const float* x, const int* count_2, float* ratio, cudaStream_t stream) {
  return launch(product_sum, {.grid = kElements / kThreads, .block = kThreads}, stream,
                tokens, x, count_2, ratio);
}

}  // namespace embedding_lookup_kernels::product_sum
