// bag_2: dot, maximum, divide, compare, convert over f32[4,32].
//
//   in   tokens   s32[4,24]
//   in   x        f32[4,24,32]
//   in   bag_3    f32[4]
//   out  bag      f32[4,32]
//
//   bag_1 = dot(x, f32(tokens != 0)), einsum=abc,ab->ac
//   bag   = bag_1 / broadcast(maximum(bag_3, 1))
//
// 4 blocks of 32 threads. Reads 12.7 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace embedding_lookup_embedding_lookup_kernels::bag_2 {
namespace {

constexpr int kRows = 4;
constexpr int kColumns = 32;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kTerms = 24;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
bag_2(const int* __restrict__ tokens,
      const float* __restrict__ x,
      const float* __restrict__ bag_3,
      float* __restrict__ bag) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float bag_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    bag_1 = fmaf(x[(row * kTerms + k) * kColumns + column],
                 tokens[row * kTerms + k] != 0 ? 1.0f : 0.0f, bag_1);
  }

  bag[element] = bag_1 / maximum(bag_3[row], 1.0f);
}

}  // namespace

cudaError_t
enqueue(const int* tokens, const float* x, const float* bag_3, float* bag, cudaStream_t stream) {
  return launch(bag_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                tokens, x, bag_3, bag);
}

}  // namespace embedding_lookup_embedding_lookup_kernels::bag_2
