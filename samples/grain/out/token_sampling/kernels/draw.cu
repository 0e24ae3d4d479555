// draw: reduce, reduce-window, threefry2x32, gather, exponential, ... over f32[8,40].
//
//   in   topk_2         f32[8,40]
//   in   topk_indices   s32[8,40]
//   in   seed           u32[2]
//   out  token          s32[8]
//   out  kept_out       f32[8,40]
//
//   top          = reduce(topk_2, -inf), dimensions={1}, to_apply=maximum
//   p            = reduce(e, 0), dimensions={1}, to_apply=add
//   softmax      = e / broadcast(p)
//   running_sum  = reduce-window(softmax, 0), window={size=1x40 pad=0_0x39_0}, to_apply=add
//   kept_out     = select(running_sum - softmax < 0.9, topk_2, -inf)
//   random_words = threefry2x32(seed[0], seed[1], 0, u32(iota({0}) * 40 + iota({1})))
//   noise        = shift-right-logical(xor(random_words.first, random_words.second), 9)
//   noise_1      = or(noise, 1065353216)
//   noise_2      = bitcast-convert(noise_1) - 1 + 1.1754944e-38
//   draw_1       = kept_out + -log(-log(maximum(1.1754944e-38, noise_2)))
//   draw_2       = reduce(draw_1, -inf), dimensions={1}, to_apply=maximum
//   draw         = draw_1 == broadcast(draw_2) or isnan(draw_1) and broadcast(isnan(draw_2))
//   draw_3       = select(draw, iota({1}), 39)
//   draw_4       = reduce(draw_3, 2147483647), dimensions={1}, to_apply=minimum
//   start        = clamp(0, draw_4, 39)
//   token        = gather(topk_indices, start)
//   Not shown: e.
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

namespace token_sampling_kernels::draw {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 40;
constexpr int kElements = kRows * kColumns;  // 320
constexpr int kThreads = 64;
constexpr int kPerBlock = kColumns;  // elements a block

static_assert(kPerBlock <= kThreads, "each has a thread of its own");

__global__ void __launch_bounds__(kThreads)
draw(const float* __restrict__ topk_2,
     const int* __restrict__ topk_indices,
     const uint32_t* __restrict__ seed,
     int* __restrict__ token,
     float* __restrict__ kept_out) {
  const bool owns_element = threadIdx.x < kPerBlock;
  const int element = blockIdx.x * kPerBlock + (owns_element ? int(threadIdx.x) : kPerBlock - 1);
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float topk_2_value = topk_2[element];
  const Threefry2x32 random_words = threefry2x32(seed[0], seed[1], 0u, uint32_t(element));
  const uint32_t noise_1 = ((random_words.first ^ random_words.second) >> 9) | 0x3f800000u;
  const float noise_2 = bit_cast<float>(noise_1) - 1.0f + 1.1754944e-38f;

  // softmax
  const float top = block_reduce<kThreads>(owns_element ? topk_2_value : -INFINITY, Maximum());
  const float e = expf(topk_2_value - top);
  const float p = block_reduce<kThreads>(owns_element ? e : 0.0f, Add());
  const float softmax = e / p;

  const float running_sum = block_scan<kThreads>(softmax, Add());
  const float kept = running_sum - softmax < 0.9f ? topk_2_value : -INFINITY;
  const float draw_1 = kept + -logf(-logf(maximum(1.1754944e-38f, noise_2)));
  const float draw_2 = block_reduce<kThreads>(owns_element ? draw_1 : -INFINITY, Maximum());
  const int draw_3 = draw_1 == draw_2 || (isnan(draw_1) && isnan(draw_2)) ? column : kColumns - 1;
  const int draw_4 = block_reduce<kThreads>(owns_element ? draw_3 : INT32_MAX, Minimum());
  const int start = minimum(maximum(draw_4, 0), 39);

  if (owns_element) kept_out[element] = kept;
  if (owns_element && column == 0) token[row] = topk_indices[row * 40 + start];
}

}  // namespace

cudaError_t
enqueue(const float* topk_2, const int* topk_indices, const uint32_t* seed, int* token,
        float* kept_out, cudaStream_t stream) {
  return launch(draw, {.grid = kElements / kPerBlock, .block = kThreads}, stream,
                topk_2, topk_indices, seed, token, kept_out);
}

}  // namespace token_sampling_kernels::draw
