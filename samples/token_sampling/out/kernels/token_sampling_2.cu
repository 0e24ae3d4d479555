// token_sampling_2: reduce, exponential, subtract over f32[8].
//
//   in   values           f32[8,40]
//   out  values_max_out   f32[8]
//   out  weight_sum_out   f32[8]
//
//   values_max_out = reduce(values, -inf), dimensions={1}, to_apply=maximum
//   weight_sum_out = reduce(exponential(values - broadcast(values_max_out)), 0), dimensions={1},
//                    to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 1.3 kB, writes 64 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace token_sampling_kernels::token_sampling_2 {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 40;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 2;                                                                // neighbours, in one access
constexpr int kPerThread = (kColumns + kWarp * kWidth - 1) / (kWarp * kWidth) * kWidth;  // 2

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
token_sampling_2(const float* __restrict__ values,
                 float* __restrict__ values_max_out,
                 float* __restrict__ weight_sum_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // values_max
  float values_max = -INFINITY;
  float values_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    if (first_column < kColumns) {
      const Vector<float, kWidth> values_vector =
          load_vector<kWidth>(values + (row * kColumns + first_column));
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        values_values[k + i] = values_vector[i];
        values_max = maximum(values_max, values_values[k + i]);
      }
    }
  }
  values_max = warp_reduce(values_max, Maximum());

  // weight_sum
  float weight_sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    if (first_column < kColumns) {
#pragma unroll
      for (int i = 0; i < kWidth; ++i) weight_sum += expf(values_values[k + i] - values_max);
    }
  }
  weight_sum = warp_reduce(weight_sum, Add());

  if (lane == 0) {
    values_max_out[row] = values_max;
    weight_sum_out[row] = weight_sum;
  }
}

}  // namespace

cudaError_t
enqueue(const float* values, float* values_max_out, float* weight_sum_out, cudaStream_t stream) {
  return launch(token_sampling_2, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                values, values_max_out, weight_sum_out);
}

}  // namespace token_sampling_kernels::token_sampling_2
