// smooth_2: reduce, gather, exponential, subtract, multiply, ... over f32[48,64].
//
//   in   image      f32[48,64]
//   in   smooth_3   f32[48,64]
//   out  smooth     f32[48,64]
//
//   tap      = broadcast(broadcast(iota()) + broadcast(iota()) - 2, {0,2})
//   tap_1    = concatenate(tap, broadcast(broadcast(iota()) + broadcast(iota()) - 2, {1,3})),
//              dimensions={4}
//   w        = gather(image, tap_1) - broadcast(image)
//   weight_1 = (iota() - 2) * (iota() - 2)
//   weight   = -f32(broadcast(weight_1, {0}) + broadcast(weight_1, {1}))
//   smooth_1 = reduce(exponential(weight / 8 - w * w / 0.02), 0), dimensions={2,3}, to_apply=add
//   smooth   = smooth_3 / smooth_1
//
// A row a warp, 4 rows a block of 128 threads. Reads 24.6 kB, writes 12.3 kB.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace image_filters_bilateral_kernels::smooth_2 {
namespace {

constexpr int kRows = 3072;
constexpr int kColumns = 25;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
smooth_2(const float* __restrict__ image,
         const float* __restrict__ smooth_3,
         float* __restrict__ smooth) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int column = threadIdx.x % kWarp;

  const float smooth_3_value = smooth_3[row];
  const float image_value = image[row];

  // smooth_1
  float smooth_1 = 0.0f;
  if (column < kColumns) {
    const int start_1 = minimum(maximum(column / 5 + row / 64 - 2, 0), 47);
    const int start_2 = minimum(maximum(column % 5 + row % 64 - 2, 0), 63);
    const float w = image[start_1 * 64 + start_2] - image_value;
    const float weight =
        -float((column / 5 - 2) * (column / 5 - 2) + (column % 5 - 2) * (column % 5 - 2));
    smooth_1 += expf(weight / 8.0f - w * w / Divisor(0.02f));
  }
  smooth_1 = warp_reduce(smooth_1, Add());

  if (column == 0) smooth[row] = smooth_3_value / smooth_1;
}

}  // namespace

cudaError_t
enqueue(const float* image, const float* smooth_3, float* smooth, cudaStream_t stream) {
  return launch(smooth_2, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                image, smooth_3, smooth);
}

}  // namespace image_filters_bilateral_kernels::smooth_2
