// dense: dot over f32[16,10].
//
//   in   params_2_w   f32[32,10]
//   in   x_2          f32[16,32]
//   out  x_w_out      f32[16,10]
//
//   x_w_out = dot(x_2, params_2_w)
//
// 5 blocks of 32 threads. Reads 3.3 kB, writes 640 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace mlp_mnist_kernels::dense {
namespace {

constexpr int kRows = 16;
constexpr int kColumns = 10;
constexpr int kElements = kRows * kColumns;  // 160
constexpr int kTerms = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dense(const float* __restrict__ params_2_w,
      const float* __restrict__ x_2,
      float* __restrict__ x_w_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float x_w = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    x_w = fmaf(x_2[row * kTerms + k], params_2_w[k * kColumns + column], x_w);
  }

  x_w_out[element] = x_w;
}

}  // namespace

cudaError_t
enqueue(const float* params_2_w, const float* x_2, float* x_w_out, cudaStream_t stream) {
  return launch(dense, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_2_w, x_2, x_w_out);
}

}  // namespace mlp_mnist_kernels::dense
