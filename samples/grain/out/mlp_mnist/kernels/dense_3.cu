// dense_3: dot over f32[16,10].
//
//   in   layer3_w   f32[32,10]
//   in   relu       f32[16,32]
//   out  y_out      f32[16,10]
//
//   y_out = dot(relu, layer3_w)
//
// 5 blocks of 32 threads. Reads 3.3 kB, writes 640 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace mlp_mnist_kernels::dense_3 {
namespace {

constexpr int kElements = 160;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
dense_3(const float* __restrict__ layer3_w,
        const float* __restrict__ relu,
        float* __restrict__ y_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 10;
  const int column = element % 10;

  float y = 0.0f;
  for (int k = 0; k < 32; ++k) y = fmaf(relu[row * 32 + k], layer3_w[k * 10 + column], y);

  y_out[element] = y;
}

}  // namespace

cudaError_t
enqueue(const float* layer3_w, const float* relu, float* y_out, cudaStream_t stream) {
  return launch(dense_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                layer3_w, relu, y_out);
}

}  // namespace mlp_mnist_kernels::dense_3
