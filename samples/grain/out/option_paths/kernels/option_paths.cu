// option_paths: 2 computations, in one launch whose last block to finish goes on alone.
//
//   option_paths_2   8 blocks     16 steps of 256 independent elements
//   deviation        last block   reduce, sqrt, divide, subtract, maximum, ... over f32[]
//
// 8 blocks of 32 threads.

#include "kernels.h"

#include "device/bit_cast.cuh"
#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/threefry2x32.cuh"

namespace option_paths_kernels::option_paths {
namespace {

// option_paths_2: 16 steps of 256 independent elements; one element a thread, its state in
// registers.
//
//   in   spot_in      f32[]
//   in   volatility   f32[]
//   in   seed         u32[2]
//   out  total_out    f32[256]
//
//   keys = concatenate(random_words_1.first, random_words_1.second), dimensions={1}
//   loop t in [0, 16), carrying path_3, total:
//     random_words_2 = threefry2x32(keys[t,:][0], keys[t,:][1], 0, u32(iota()))
//     shock          = shift-right-logical(xor(random_words_2.first, random_words_2.second), 9)
//     shock_1        = or(shock, 1065353216)
//     shock_2        = (bitcast-convert(shock_1) - 1) * 2 + -0.99999994
//     shock_3        = maximum(-0.99999994, shock_2)
//     shock_4        = -log-plus-one(-shock_3 * shock_3)
//     shock_5        = shock_4 < 5
//     shock_7        = select(shock_5, shock_4 - 2.5, sqrt(shock_4) - 3)
//     shock_6        = select(shock_5, 2.8102264e-08, -0.00020021426)
//     shock_8        = select(shock_5, 3.4327394e-07, 0.00010095056) + shock_6 * shock_7
//     shock_9        = select(shock_5, -3.5233877e-06, 0.0013493432) + shock_8 * shock_7
//     shock_10       = select(shock_5, -4.3915065e-06, -0.0036734284) + shock_9 * shock_7
//     shock_11       = select(shock_5, 0.00021858087, 0.0057395077) + shock_10 * shock_7
//     shock_12       = select(shock_5, -0.001253725, -0.0076224613) + shock_11 * shock_7
//     shock_13       = select(shock_5, -0.0041776816, 0.0094388705) + shock_12 * shock_7
//     shock_14       = select(shock_5, 0.24664073, 1.001674) + shock_13 * shock_7
//     shock_15       = (select(shock_5, 1.5014094, 2.8329768) + shock_14 * shock_7) * shock_3
//     shock_16       = select(abs(shock_3) == 1, shock_3 * inf, shock_15) * 1.4142135
//     path_1         = 0.001875 - 0.03125 * (volatility * volatility)
//     path_2         = volatility * 0.25
//     next_path_3    = path_3 * exponential(path_1 + path_2 * shock_16)
//     next_total     = total + next_path_3
//
// 8 blocks of 32 threads. Reads 16 B, writes 1.0 kB.
namespace option_paths_2 {

constexpr int kElements = 256;
constexpr int kSteps = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch read total_out.
__device__ void run(int block, const OptionPathsArrays::OptionPaths2Arrays& arrays) {
  const float* __restrict__ spot_in = arrays.spot_in;
  const float* __restrict__ volatility = arrays.volatility;
  const uint32_t* __restrict__ seed = arrays.seed;
  float* total_out = arrays.total_out;
  const int element = block * kThreads + threadIdx.x;

  const uint32_t seed_value_1 = seed[0];
  const uint32_t seed_value_2 = seed[1];
  const float volatility_value = volatility[0];
  const float path_1 = fmaf(-0.03125f, volatility_value * volatility_value, 0.001875f);
  const float path_2 = volatility_value * 0.25f;
  float path_3 = spot_in[0];
  float total = 0.0f;

#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    const Threefry2x32 random_words_1 = threefry2x32(seed_value_1, seed_value_2, 0u, uint32_t(t));
    const Threefry2x32 random_words_2 =
        threefry2x32(random_words_1.first, random_words_1.second, 0u, uint32_t(element));
    const uint32_t shock_1 = ((random_words_2.first ^ random_words_2.second) >> 9) | 0x3f800000u;
    const float shock_2 = fmaf(bit_cast<float>(shock_1) - 1.0f, 2.0f, -0.99999994f);
    const float shock_3 = maximum(-0.99999994f, shock_2);
    const float shock_4 = -log1pf(-shock_3 * shock_3);
    const bool shock_5 = shock_4 < 5.0f;
    const float shock_6 = shock_5 ? 2.8102264e-8f : -0.00020021426f;
    const float shock_7 = shock_5 ? shock_4 - 2.5f : sqrtf(shock_4) - 3.0f;
    const float shock_8 = fmaf(shock_6, shock_7, shock_5 ? 3.4327394e-7f : 0.00010095056f);
    const float shock_9 = fmaf(shock_8, shock_7, shock_5 ? -3.5233877e-6f : 0.0013493432f);
    const float shock_10 = fmaf(shock_9, shock_7, shock_5 ? -4.3915065e-6f : -0.0036734284f);
    const float shock_11 = fmaf(shock_10, shock_7, shock_5 ? 0.00021858087f : 0.0057395077f);
    const float shock_12 = fmaf(shock_11, shock_7, shock_5 ? -0.001253725f : -0.0076224613f);
    const float shock_13 = fmaf(shock_12, shock_7, shock_5 ? -0.0041776816f : 0.0094388705f);
    const float shock_14 = fmaf(shock_13, shock_7, shock_5 ? 0.24664073f : 1.001674f);
    const float shock_15 = fmaf(shock_14, shock_7, shock_5 ? 1.5014094f : 2.8329768f) * shock_3;
    const float shock_16 = (fabsf(shock_3) == 1.0f ? shock_3 * INFINITY : shock_15) * 1.4142135f;
    const float next_path_3 = path_3 * expf(fmaf(path_2, shock_16, path_1));
    path_3 = next_path_3;
    total += next_path_3;
  }

  total_out[element] = total;
}

}  // namespace option_paths_2

// deviation: reduce, sqrt, divide, subtract, maximum, ... over f32[].
//
//   in   strike          f32[]
//   in   total           f32[256]
//   out  price           f32[]
//   out  deviation_out   f32[]
//
//   payoff        = maximum(total / 16 - strike, 0)
//   centre_1      = reduce(payoff, 0), dimensions={0}, to_apply=add
//   centre_2      = centre_1 / 256
//   price         = centre_2 * 0.9704455
//   deviation_2   = payoff - centre_2
//   deviation_1   = reduce(deviation_2 * deviation_2, 0), dimensions={0}, to_apply=add
//   deviation_out = sqrt(deviation_1 / 256)
//
// One block of 32 threads. Reads 1.0 kB, writes 8 B.
namespace deviation {

constexpr int kTerms = 256;

// No pointer is __restrict__: other parts of the launch write total.
__device__ void run(const OptionPathsArrays::DeviationArrays& arrays) {
  const auto& [strike, total, price, deviation_out] = arrays;
  if (threadIdx.x > 0) return;

  const float strike_value = strike[0];
  float centre_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) centre_1 += maximum(total[k] / 16.0f - strike_value, 0.0f);
  const float centre_2 = centre_1 / 256.0f;
  float deviation_1 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const float deviation_2 = maximum(total[k] / 16.0f - strike_value, 0.0f) - centre_2;
    deviation_1 += deviation_2 * deviation_2;
  }

  price[0] = centre_2 * 0.9704455f;
  deviation_out[0] = sqrtf(deviation_1 / 256.0f);
}

}  // namespace deviation

constexpr int kThreads = 32;
constexpr int kBlocks = option_paths_2::kBlocks;

__global__ void __launch_bounds__(kThreads)
option_paths(const __grid_constant__ OptionPathsArrays arrays) {
  const int block = blockIdx.x;
  option_paths_2::run(block, arrays.option_paths_2);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  deviation::run(arrays.deviation);
}

}  // namespace

cudaError_t
enqueue(const OptionPathsArrays& arrays, cudaStream_t stream) {
  return launch(option_paths, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace option_paths_kernels::option_paths
