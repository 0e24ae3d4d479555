// dense_3: dot over f32[16,10].
//
//   in   layer3_w   f32[32,10]
//   in   relu_2     f32[16,32]
//   out  y_out      f32[16,10]
//
//   y_out = dot(relu_2, layer3_w)
//
// 5 blocks of 32 threads. Reads 3.3 kB, writes 640 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace mlp_mnist_kernels::dense_3 {
namespace {

constexpr int kRows = 16;
constexpr int kColumns = 10;
constexpr int kElements = kRows * kColumns;  // 160
constexpr int kTerms = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dense_3(const float* __restrict__ layer3_w,
        const float* __restrict__ relu_2,
        float* __restrict__ y_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float y = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    y = fmaf(relu_2[row * kTerms + k], layer3_w[k * kColumns + column], y);
  }

  y_out[element] = y;
}

}  // namespace

cudaError_t
enqueue(const float* layer3_w, const float* relu_2, float* y_out, cudaStream_t stream) {
  return launch(dense_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                layer3_w, relu_2, y_out);
}

}  // namespace mlp_mnist_kernels::dense_3
