// smooth: dot, gather, exponential, subtract, multiply, ... over f32[48,64].
//
//   in   image          f32[48,64]
//   out  smooth_3_out   f32[48,64]
//
//   tap          = broadcast(broadcast(iota()) + broadcast(iota()) - 2, {0,2})
//   tap_1        = concatenate(tap, broadcast(broadcast(iota()) + broadcast(iota()) - 2, {1,3})),
//                  dimensions={4}
//   tap_2        = gather(image, tap_1)
//   w            = tap_2 - broadcast(image)
//   weight_1     = (iota() - 2) * (iota() - 2)
//   weight       = -f32(broadcast(weight_1, {0}) + broadcast(weight_1, {1})) / 8
//   smooth_3_out = dot(exponential(weight - w * w / 0.02), tap_2), einsum=abcd,abcd->ab
//
// 96 blocks of 32 threads. Reads 12.3 kB, writes 12.3 kB.

#include "kernels.h"

#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace image_filters_bilateral_kernels::smooth {
namespace {

constexpr int kRows = 48;
constexpr int kColumns = 64;
constexpr int kElements = kRows * kColumns;  // 3072
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
smooth(const float* __restrict__ image, float* __restrict__ smooth_3_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float image_value_1 = image[element];
  float smooth_3 = 0.0f;
  for (int k = 0; k < 5; ++k) {
    for (int k_1 = 0; k_1 < 5; ++k_1) {
      const int start_1 = minimum(maximum(row + k - 2, 0), 47);
      const int start_2 = minimum(maximum(column + k_1 - 2, 0), 63);
      const float image_value_2 = image[start_1 * kColumns + start_2];
      const float w = image_value_2 - image_value_1;

      // weight
      const float weight = -float((k - 2) * (k - 2) + (k_1 - 2) * (k_1 - 2)) / 8.0f;
      smooth_3 = fmaf(expf(weight - w * w / Divisor(0.02f)), image_value_2, smooth_3);
    }
  }

  smooth_3_out[element] = smooth_3;
}

}  // namespace

cudaError_t
enqueue(const float* image, float* smooth_3_out, cudaStream_t stream) {
  return launch(smooth, {.grid = kElements / kThreads, .block = kThreads}, stream,
                image, smooth_3_out);
}

}  // namespace image_filters_bilateral_kernels::smooth
