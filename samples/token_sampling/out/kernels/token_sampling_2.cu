// token_sampling_2: threefry2x32, reduce, reduce-window, gather, log, ... over f32[8,40].
//
//   in   values          f32[8,40]
//   in   tokens          s32[8,40]
//   in   key             u32[2]
//   out  picked_tokens   s32[8]
//   out  kept_out        f32[8,40]
//
//   uniform       = threefry2x32(key[0], key[1], 0, u32(broadcast(iota()) * 40 + iota()))
//   negated       = -log(maximum(1.1754944e-38, as_float - 1 + 1.1754944e-38))
//   values_max    = reduce(values, -inf), dimensions={1}, to_apply=maximum
//   weight        = exponential(values - broadcast(values_max))
//   weight_sum    = reduce(weight, 0), dimensions={1}, to_apply=add
//   probabilities = weight / broadcast(weight_sum)
//   running_sum   = reduce-window(probabilities, 0), window={size=1x40 pad=0_0x39_0}, to_apply=add
//   kept_out      = select(running_sum - probabilities < 0.9, values, -inf)
//   sum           = -log(negated) + kept_out
//   max           = reduce(sum, -inf), dimensions={1}, to_apply=maximum
//   either        = sum == broadcast(max) or isnan(sum) and broadcast(isnan(max))
//   chosen        = select(either, iota(), 39)
//   argmax        = reduce(chosen, 2147483647), dimensions={1}, to_apply=minimum
//   start         = clamp(0, argmax, 39)
//   picked_tokens = reshape(gather(tokens, start), [8])
//   Not shown: as_float.
//
// 8 blocks of 64 threads; 24 threads of a block repeat its last element. Reads 2.6 kB, writes 1.3
// kB.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/block_reduce.cuh"
#include "device/block_scan.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/threefry2x32.cuh"

namespace token_sampling_kernels::token_sampling_2 {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 40;
constexpr int kElements = kRows * kColumns;  // 320
constexpr int kThreads = 64;
constexpr int kPerBlock = kColumns;  // elements a block

static_assert(kPerBlock <= kThreads, "each has a thread of its own");

__global__ void __launch_bounds__(kThreads)
token_sampling_2(const float* __restrict__ values,
                 const int* __restrict__ tokens,
                 const uint32_t* __restrict__ key,
                 int* __restrict__ picked_tokens,
                 float* __restrict__ kept_out) {
  const bool owns_element = threadIdx.x < kPerBlock;
  const int element = blockIdx.x * kPerBlock + (owns_element ? int(threadIdx.x) : kPerBlock - 1);
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float values_value = values[element];
  const float values_max =
      block_reduce<kThreads>(owns_element ? values_value : -INFINITY, Maximum());
  const float weight = expf(values_value - values_max);
  const float weight_sum = block_reduce<kThreads>(owns_element ? weight : 0.0f, Add());
  const float probabilities = weight / weight_sum;
  const float running_sum = block_scan<kThreads>(probabilities, Add());
  const float kept = running_sum - probabilities < 0.9f ? values_value : -INFINITY;
  const Threefry2x32 uniform = threefry2x32(key[0], key[1], 0u, uint32_t(element));
  const float as_float = bit_cast<float>(((uniform.first ^ uniform.second) >> 9) | 0x3f800000u);
  const float negated = -logf(maximum(1.1754944e-38f, as_float - 1.0f + 1.1754944e-38f));
  const float sum = -logf(negated) + kept;
  const float max = block_reduce<kThreads>(owns_element ? sum : -INFINITY, Maximum());
  const int chosen = sum == max || (isnan(sum) && isnan(max)) ? column : kColumns - 1;
  const int argmax = block_reduce<kThreads>(owns_element ? chosen : INT32_MAX, Minimum());
  const int start = minimum(maximum(argmax, 0), 39);

  if (owns_element) kept_out[element] = kept;
  if (owns_element && column == 0) picked_tokens[row] = tokens[row * 40 + start];
}

}  // namespace

cudaError_t
enqueue(const float* values, const int* tokens, const uint32_t* key, int* picked_tokens,
        float* kept_out, cudaStream_t stream) {
  return launch(token_sampling_2, {.grid = kElements / kPerBlock, .block = kThreads}, stream,
                values, tokens, key, picked_tokens, kept_out);
}

}  // namespace token_sampling_kernels::token_sampling_2
