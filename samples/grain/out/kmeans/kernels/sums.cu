// sums: scatter over f32[8,3].
//
//   in   cluster    s32[400]
//   in   x          f32[400,3]
//   out  sums_out   f32[8,3]
//
//   sums_out = scatter(0, cluster, x), to_apply=add
//
// One block of 32 threads. Reads 6.4 kB, writes 96 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace kmeans_kernels::sums {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 24
constexpr int kTerms = 400;
constexpr int kThreads = 32;

static_assert(kElements <= kThreads, "the one block has all elements");

__global__ void __launch_bounds__(kThreads)
sums(const int* __restrict__ cluster, const float* __restrict__ x, float* __restrict__ sums_out) {
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float sums = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const int cluster_value = cluster[k];
    if (cluster_value == row) sums += x[k * kColumns + column];
  }

  sums_out[element] = sums;
}

}  // namespace

cudaError_t
enqueue(const int* cluster, const float* x, float* sums_out, cudaStream_t stream) {
  return launch(sums, {.grid = 1, .block = kThreads}, stream, cluster, x, sums_out);
}

}  // namespace kmeans_kernels::sums
