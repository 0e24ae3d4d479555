// nearest: reduce, subtract, multiply over s32[400].
//
//   in   x       f32[400,3]
//   in   start   f32[8,3]
//   out  j_out   s32[400]
//
//   far_1 = broadcast(x) - broadcast(start)
//   far_2 = reduce(far_1 * far_1, 0), dimensions={2}, to_apply=add
//   j_out = reduce(far_2, iota({1}), inf, 0), dimensions={1}, to_apply=j
//
// 13 blocks of 32 threads. Reads 4.9 kB, writes 1.6 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace kmeans_kernels::nearest {
namespace {

constexpr int kElements = 400;
constexpr int kTerms = 8;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
nearest(const float* __restrict__ x, const float* __restrict__ start, int* __restrict__ j_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float x_value_1 = x[element * 3];
  const float x_value_2 = x[element * 3 + 1];
  const float x_value_3 = x[element * 3 + 2];
  float j_1 = INFINITY;
  int j_2 = 0;
  for (int k = 0; k < kTerms; ++k) {
    const float far_1_1 = x_value_1 - start[k * 3];
    const float far_1_2 = x_value_2 - start[k * 3 + 1];
    const float far_1_3 = x_value_3 - start[k * 3 + 2];
    const float far_2 = far_1_1 * far_1_1 + far_1_2 * far_1_2 + far_1_3 * far_1_3;
    const bool either = j_1 <= far_2 || isnan(j_1);
    const float next_1 = either ? j_1 : far_2;
    const int next_2 = either ? j_2 : k;
    j_1 = next_1;
    j_2 = next_2;
  }

  j_out[element] = j_2;
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* start, int* j_out, cudaStream_t stream) {
  return launch(nearest, {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads}, stream,
                x, start, j_out);
}

}  // namespace kmeans_kernels::nearest
