// dense: dot, add, maximum over f32[32,4].
//
//   in   x            f32[32,16]
//   in   constant_2   f32[16,12]
//   in   constant     f32[12]
//   in   constant_4   f32[12,4]
//   out  y_out        f32[32,4]
//
//   y_2   = dot(x, constant_2)
//   y_out = dot(maximum(y_2 + constant, 0), constant_4)
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
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dense(const float* __restrict__ x,
      const float* __restrict__ constant_2,
      const float* __restrict__ constant,
      const float* __restrict__ constant_4,
      float* __restrict__ y_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float y_1 = 0.0f;
  for (int k = 0; k < 12; ++k) {
    float y_2 = 0.0f;
    for (int k_1 = 0; k_1 < 16; ++k_1) y_2 = fmaf(x[row * 16 + k_1], constant_2[k_1 * 12 + k], y_2);
    y_1 = fmaf(maximum(y_2 + constant[k], 0.0f), constant_4[k * kColumns + column], y_1);
  }

  y_out[element] = y_1;
}

}  // namespace

cudaError_t
enqueue(const float* x, const float* constant_2, const float* constant, const float* constant_4,
        float* y_out, cudaStream_t stream) {
  return launch(dense, {.grid = kElements / kThreads, .block = kThreads}, stream,
                x, constant_2, constant, constant_4, y_out);
}

}  // namespace classifier_kernels::dense
