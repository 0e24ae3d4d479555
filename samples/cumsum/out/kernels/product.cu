// product: reduce-window over f32[8,300].
//
//   in   p         f32[8,300]
//   out  product   f32[8,300]
//
//   product = reduce-window(p, 1), window={size=8x1 pad=7_0x0_0}, to_apply=multiply
//
// 75 blocks of 32 threads. Reads 9.6 kB, writes 9.6 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace cumsum_kernels {
namespace {

constexpr int kElements = 2400;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
product(const float* __restrict__ p, float* __restrict__ product_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 300;
  const int column = element % 300;

  float product_1 = 1.0f;
  for (int k = 0; k < 8; ++k) {
    const int in_position = row + k - 7;
    if (in_position < 0) continue;
    product_1 *= p[in_position * 300 + column];
  }

  product_out[element] = product_1;
}

}  // namespace

cudaError_t
launch_product(const float* p, float* product_out, cudaStream_t stream) {
  return launch(product, {.grid = kElements / kThreads, .block = kThreads}, stream, p, product_out);
}

}  // namespace cumsum_kernels
