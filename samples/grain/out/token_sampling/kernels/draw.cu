// draw: threefry2x32, reduce, gather, exponential, log, ... over f32[8,40].
//
//   in   topk_2         f32[8,40]
//   in   topk_indices   s32[8,40]
//   in   seed           u32[2]
//   in   top            f32[8]
//   in   p              f32[8]
//   in   running_sum    f32[8,40]
//   out  token          s32[8]
//   out  kept_out       f32[8,40]
//
//   p_1          = exponential(topk_2 - broadcast(top)) / broadcast(p)
//   kept_1       = running_sum - p_1 < 0.9
//   kept_out     = select(kept_1, topk_2, -inf)
//   random_words = threefry2x32(seed[0], seed[1], 0, u32(iota({0}) * 40 + iota({1})))
//   noise        = shift-right-logical(xor(random_words.first, random_words.second), 9)
//   noise_1      = or(noise, 1065353216)
//   noise_2      = bitcast-convert(noise_1) - 1 + 1.1754944e-38
//   draw         = kept_out + -log(-log(maximum(1.1754944e-38, noise_2)))
//   draw_1       = reduce(draw, -inf), dimensions={1}, to_apply=maximum
//   draw_2       = isnan(draw_1)
//   draw_4       = draw == broadcast(draw_1) or isnan(draw) and broadcast(draw_2)
//   draw_3       = reduce(select(draw_4, iota({1}), 39), 2147483647), dimensions={1},
//                  to_apply=minimum
//   token        = gather(topk_indices, draw_3)
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

namespace token_sampling_kernels::draw {
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
draw(const float* __restrict__ topk_2,
     const int* __restrict__ topk_indices,
     const uint32_t* __restrict__ seed,
     const float* __restrict__ top,
     const float* __restrict__ p,
     const float* __restrict__ running_sum,
     int* __restrict__ token,
     float* __restrict__ kept_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  const float top_value = top[row];
  const float p_value = p[row];
  const uint32_t seed_value_1 = seed[0];
  const uint32_t seed_value_2 = seed[1];

  // draw, draw_1, kept_out
  float draw_1 = -INFINITY;
  float draw_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    if (first_column < kColumns) {
      const Vector<float, kWidth> running_sum_vector =
          load_vector<kWidth>(running_sum + (row * kColumns + first_column));
      const Vector<float, kWidth> topk_2_vector =
          load_vector<kWidth>(topk_2 + (row * kColumns + first_column));
      Vector<float, kWidth> kept_vector;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        const int column = first_column + i;
        const float topk_2_value = topk_2_vector[i];
        const Threefry2x32 random_words =
            threefry2x32(seed_value_1, seed_value_2, 0u, uint32_t(row * kColumns + column));
        const uint32_t noise_1 = ((random_words.first ^ random_words.second) >> 9) | 0x3f800000u;
        const float noise_2 = bit_cast<float>(noise_1) - 1.0f + 1.1754944e-38f;
        const float p_1 = expf(topk_2_value - top_value) / p_value;
        const bool kept_1 = running_sum_vector[i] - p_1 < 0.9f;
        const float kept_2 = kept_1 ? topk_2_value : -INFINITY;
        draw_values[k + i] = kept_2 + -logf(-logf(maximum(1.1754944e-38f, noise_2)));
        kept_vector[i] = kept_2;
        draw_1 = maximum(draw_1, draw_values[k + i]);
      }
      store_vector(kept_out + (row * kColumns + first_column), kept_vector);
    }
  }
  draw_1 = warp_reduce(draw_1, Maximum());
  const bool draw_2 = isnan(draw_1);

  // draw_3
  int draw_3 = INT32_MAX;
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    if (first_column < kColumns) {
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        const int column = first_column + i;
        const bool draw_4 = draw_values[k + i] == draw_1 || (isnan(draw_values[k + i]) && draw_2);
        draw_3 = minimum(draw_3, draw_4 ? column : kColumns - 1);
      }
    }
  }
  draw_3 = warp_reduce(draw_3, Minimum());

  if (lane == 0) token[row] = topk_indices[row * kColumns + draw_3];
}

}  // namespace

cudaError_t
enqueue(const float* topk_2, const int* topk_indices, const uint32_t* seed, const float* top,
        const float* p, const float* running_sum, int* token, float* kept_out,
        cudaStream_t stream) {
  return launch(draw, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                topk_2, topk_indices, seed, top, p, running_sum, token, kept_out);
}

}  // namespace token_sampling_kernels::draw
