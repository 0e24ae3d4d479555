// histogram: reduce, add, divide, multiply, clamp, ... over s32[32].
//
//   in   values       f32[2000]
//   in   weights_in   f32[2000]
//   out  counts_out   s32[32]
//   out  sums_out     f32[32]
//   out  peaks_out    f32[32]
//
//   bin        = s32((values + 4) / 8 * 32)
//   counts_2   = iota({0}) == clamp(0, bin, 31)
//   counts_out = reduce(select(counts_2, 1, 0), 0), dimensions={1}, to_apply=add
//   sums_out   = reduce(select(counts_2, weights_in, 0), 0), dimensions={1}, to_apply=add
//   peaks_out  = reduce(select(counts_2, weights_in, -inf), -inf), dimensions={1}, to_apply=maximum
//
// One block of 256 threads a row. Reads 16.0 kB, writes 384 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/saturate_cast.cuh"
#include "device/vector_access.cuh"

namespace histogram_kernels::histogram {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 2000;
constexpr int kThreads = 256;
constexpr int kWidth = 4;  // neighbours, in one access

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");

__global__ void __launch_bounds__(kThreads)
histogram(const float* __restrict__ values,
          const float* __restrict__ weights_in,
          int* __restrict__ counts_out,
          float* __restrict__ sums_out,
          float* __restrict__ peaks_out) {
  const int row = blockIdx.x;

  // counts_1, sums, peaks
  int counts_1 = 0;
  float sums = 0.0f;
  float peaks = -INFINITY;
  for (int first_column = threadIdx.x * kWidth;
       first_column < kColumns;
       first_column += kThreads * kWidth) {
    const Vector<float, kWidth> values_vector = load_vector<kWidth>(values + first_column);
    const Vector<float, kWidth> weights_in_vector = load_vector<kWidth>(weights_in + first_column);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const float weights_value = weights_in_vector[i];
      const int bin = saturate_cast<int>((values_vector[i] + 4.0f) / 8.0f * 32.0f);
      const bool counts_2 = row == minimum(maximum(bin, 0), 31);
      counts_1 += counts_2 ? 1 : 0;
      sums += counts_2 ? weights_value : 0.0f;
      peaks = maximum(peaks, counts_2 ? weights_value : -INFINITY);
    }
  }
  counts_1 = block_reduce<kThreads>(counts_1, Add());
  sums = block_reduce<kThreads>(sums, Add());
  peaks = block_reduce<kThreads>(peaks, Maximum());

  if (threadIdx.x == 0) {
    counts_out[row] = counts_1;
    sums_out[row] = sums;
    peaks_out[row] = peaks;
  }
}

}  // namespace

cudaError_t
enqueue(const float* values, const float* weights_in, int* counts_out, float* sums_out,
        float* peaks_out, cudaStream_t stream) {
  return launch(histogram, {.grid = kRows, .block = kThreads}, stream,
                values, weights_in, counts_out, sums_out, peaks_out);
}

}  // namespace histogram_kernels::histogram
