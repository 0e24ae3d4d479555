// token_sampling_4: threefry2x32, reduce, gather, log, exponential, ... over f32[8,40].
//
//   in   values     f32[8,40]
//   in   tokens     s32[8,40]
//   in   key        u32[2]
//   in   max        f32[8]
//   in   sum        f32[8]
//   in   sum_1      f32[8,40]
//   out  squeeze    s32[8]
//   out  kept_out   f32[8,40]
//
//   probabilities, log, max_1, kept_out
//   min
//
// A row a warp, 4 rows a block of 128 threads. Reads 2.7 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/threefry2x32.cuh"
#include "device/warp_reduce.cuh"

namespace token_sampling_kernels::token_sampling_4 {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 40;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kPerThread = (kColumns + kWarp - 1) / kWarp;  // 2

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
token_sampling_4(const float* __restrict__ values,
                 const int* __restrict__ tokens,
                 const uint32_t* __restrict__ key,
                 const float* __restrict__ max,
                 const float* __restrict__ sum,
                 const float* __restrict__ sum_1,
                 int* __restrict__ squeeze,
                 float* __restrict__ kept_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const float max_value = max[row];
  const float sum_value = sum[row];
  const uint32_t key_value_1 = key[0];
  const uint32_t key_value_2 = key[1];

  // probabilities, log, max_1, kept_out
  float max_1 = -INFINITY;
  float values_values[kPerThread];
  float probabilities_values[kPerThread];
  float sum_1_values[kPerThread];
  float log_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      const int index = row * kColumns + column;
      values_values[k] = values[index];
      probabilities_values[k] = expf(values_values[k] - max_value) / sum_value;
      sum_1_values[k] = sum_1[index];
      const bool is_less_1 = sum_1_values[k] - probabilities_values[k] < 0.9f;
      const float kept = is_less_1 ? values_values[k] : -INFINITY;
      const Threefry2x32 uniform = threefry2x32(key_value_1, key_value_2, 0u, uint32_t(index));
      const float bitcast_convert_type =
          bit_cast<float>(((uniform.first ^ uniform.second) >> 9) | 0x3f800000u);
      const float add_1 = bitcast_convert_type - 1.0f + 1.1754944e-38f;
      log_values[k] = logf(-logf(maximum(1.1754944e-38f, add_1)));
      kept_out[index] = kept;
      max_1 = maximum(max_1, -log_values[k] + kept);
    }
  }
  max_1 = warp_reduce(max_1, Maximum());
  const bool is_nan = max_1 != max_1;

  // min
  int min = 2147483647;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int column = k * kWarp + lane;
    if (column < kColumns) {
      const bool is_less_2 = sum_1_values[k] - probabilities_values[k] < 0.9f;
      const float add_2 = -log_values[k] + (is_less_2 ? values_values[k] : -INFINITY);
      min = minimum(min, add_2 == max_1 || (add_2 != add_2 && is_nan) ? column : 2147483647);
    }
  }
  min = warp_reduce(min, Minimum());
  const int start = minimum(maximum(min, 0), 39);

  if (lane == 0) squeeze[row] = min <= 39 ? tokens[row * kColumns + start] : -2147483647 - 1;
}

}  // namespace

cudaError_t
enqueue(const float* values,
        const int* tokens,
        const uint32_t* key,
        const float* max,
        const float* sum,
        const float* sum_1,
        int* squeeze,
        float* kept_out,
        cudaStream_t stream) {
  return launch(token_sampling_4, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                values, tokens, key, max, sum, sum_1, squeeze, kept_out);
}

}  // namespace token_sampling_kernels::token_sampling_4
