// dense: dot, add, maximum over f32[32,4].
//
//   in   x              f32[32,16]
//   in   net_first_w    f32[16,12]
//   in   net_first_b    f32[12]
//   in   net_second_w   f32[12,4]
//   out  y_out          f32[32,4]
//
//   y_2   = dot(x, net_first_w)
//   y_out = dot(maximum(y_2 + net_first_b, 0), net_second_w)
//
// 4 blocks of 32 threads. Reads 3.1 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace classifier_kernels::dense {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 4;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kTerms = 12;
constexpr int kTerms2 = 16;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dense(const float* __restrict__ x,
      const float* __restrict__ net_first_w,
      const float* __restrict__ net_first_b,
      const float* __restrict__ net_second_w,
      float* __restrict__ y_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float y_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    float y_2 = 0.0f;
    for (int k_1 = 0; k_1 < kTerms2; ++k_1) {
      y_2 = fmaf(x[row * kTerms2 + k_1], net_first_w[k_1 * kTerms + k], y_2);
    }
    y_1 = fmaf(maximum(y_2 + net_first_b[k], 0.0f), net_second_w[k * kColumns + column], y_1);
  }

  y_out[element] = y_1;
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* net_first_w, const float* net_first_b,
        const float* net_second_w, float* y_out, cudaStream_t stream) {
  return launch(dense, {.grid = kElements / kThreads, .block = kThreads}, stream,
                x, net_first_w, net_first_b, net_second_w, y_out);
}

}  // namespace classifier_kernels::dense
