// image_filters_box: reduce, gather, divide over f32[48,64].
//
//   in   image    f32[48,64]
//   out  smooth   f32[48,64]
//
//   start_2  = clamp(0, broadcast(iota()) + broadcast(iota() + -2), 63)
//   rows     = reduce(gather(image, start_2), 0), dimensions={1}, to_apply=add
//   start_1  = clamp(0, broadcast(iota()) + broadcast(iota() + -2), 47)
//   smooth_1 = reduce(gather(transpose(rows / 5), start_1), 0), dimensions={1}, to_apply=add
//   smooth   = smooth_1 / 5
//
// 96 blocks of 32 threads. Reads 12.3 kB, writes 12.3 kB.

#include "kernels.h"

#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace image_filters_box_kernels::image_filters_box {
namespace {

constexpr int kRows = 48;
constexpr int kColumns = 64;
constexpr int kElements = kRows * kColumns;  // 3072
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
image_filters_box(const float* __restrict__ image, float* __restrict__ smooth) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float smooth_1 = 0.0f;
  for (int k = 0; k < 5; ++k) {
    const int start_1 = minimum(maximum(row + k - 2, 0), 47);
    float rows = 0.0f;
    for (int k_1 = 0; k_1 < 5; ++k_1) {
      const int start_2 = minimum(maximum(column + k_1 - 2, 0), 63);
      rows += image[start_1 * kColumns + start_2];
    }
    smooth_1 += rows / Divisor(5.0f);
  }

  smooth[element] = smooth_1 / Divisor(5.0f);
}

}  // namespace

cudaError_t
enqueue(const float* image, float* smooth, cudaStream_t stream) {
  return launch(image_filters_box, {.grid = kElements / kThreads, .block = kThreads}, stream,
                image, smooth);
}

}  // namespace image_filters_box_kernels::image_filters_box
