// token_sampling_4: threefry2x32, reduce, gather, log, exponential, ... over f32[8,40].
//
//   in   values          f32[8,40]
//   in   tokens          s32[8,40]
//   in   key             u32[2]
//   in   values_max      f32[8]
//   in   weight_sum      f32[8]
//   in   running_sum     f32[8,40]
//   out  picked_tokens   s32[8]
//   out  kept_out        f32[8,40]
//
//   uniform       = threefry2x32(key[0], key[1], 0, u32(broadcast(iota()) * 40 + iota()))
//   bits          = or(shift-right-logical(xor(uniform.first, uniform.second), 9), 1065353216)
//   as_float      = bitcast-convert(bits)
//   negated       = -log(maximum(1.1754944e-38, as_float - 1 + 1.1754944e-38))
//   probabilities = exponential(values - broadcast(values_max)) / broadcast(weight_sum)
//   is_less       = running_sum - probabilities < 0.9
//   kept_out      = select(is_less, values, -inf)
//   sum           = -log(negated) + kept_out
//   max           = reduce(sum, -inf), dimensions={1}, to_apply=maximum
//   is_nan        = isnan(max)
//   either        = sum == broadcast(max) or isnan(sum) and broadcast(is_nan)
//   argmax        = reduce(select(either, iota(), 39), 2147483647), dimensions={1},
//                   to_apply=minimum
//   picked_tokens = reshape(gather(tokens, argmax), [8])
//
// A row a warp, 4 rows a block of 128 threads. Reads 2.7 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/threefry2x32.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace token_sampling_kernels::token_sampling_4 {
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
token_sampling_4(const float* __restrict__ values,
                 const int* __restrict__ tokens,
                 const uint32_t* __restrict__ key,
                 const float* __restrict__ values_max,
                 const float* __restrict__ weight_sum,
                 const float* __restrict__ running_sum,
                 int* __restrict__ picked_tokens,
                 float* __restrict__ kept_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const float values_max_value = values_max[row];
  const float weight_sum_value = weight_sum[row];
  const uint32_t key_value_1 = key[0];
  const uint32_t key_value_2 = key[1];

  // sum, max, kept_out
  float max = -INFINITY;
  float sum_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    if (first_column < kColumns) {
      const Vector<float, kWidth> running_sum_vector =
          load_vector<kWidth>(running_sum + (row * kColumns + first_column));
      const Vector<float, kWidth> values_vector =
          load_vector<kWidth>(values + (row * kColumns + first_column));
      Vector<float, kWidth> kept_vector;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        const int column = first_column + i;
        const float values_value = values_vector[i];
        const float probabilities = expf(values_value - values_max_value) / weight_sum_value;
        const bool is_less = running_sum_vector[i] - probabilities < 0.9f;
        const float kept = is_less ? values_value : -INFINITY;
        const Threefry2x32 uniform =
            threefry2x32(key_value_1, key_value_2, 0u, uint32_t(row * kColumns + column));
        const float as_float =
            bit_cast<float>(((uniform.first ^ uniform.second) >> 9) | 0x3f800000u);
        const float negated = -logf(maximum(1.1754944e-38f, as_float - 1.0f + 1.1754944e-38f));
        sum_values[k + i] = -logf(negated) + kept;
        kept_vector[i] = kept;
        max = maximum(max, sum_values[k + i]);
      }
      store_vector(kept_out + (row * kColumns + first_column), kept_vector);
    }
  }
  max = warp_reduce(max, Maximum());
  const bool is_nan = isnan(max);

  // argmax
  int argmax = INT32_MAX;
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    if (first_column < kColumns) {
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        const int column = first_column + i;
        const bool either = sum_values[k + i] == max || (isnan(sum_values[k + i]) && is_nan);
        argmax = minimum(argmax, either ? column : kColumns - 1);
      }
    }
  }
  argmax = warp_reduce(argmax, Minimum());

  if (lane == 0) picked_tokens[row] = tokens[row * kColumns + argmax];
}

}  // namespace

cudaError_t
enqueue(const float* values, const int* tokens, const uint32_t* key, const float* values_max,
        const float* weight_sum, const float* running_sum, int* picked_tokens, float* kept_out,
        cudaStream_t stream) {
  return launch(token_sampling_4, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                values, tokens, key, values_max, weight_sum, running_sum, picked_tokens, kept_out);
}

}  // namespace token_sampling_kernels::token_sampling_4
