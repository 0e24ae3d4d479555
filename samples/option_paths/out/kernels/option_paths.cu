// option_paths: 2 computations, in one launch whose last block to finish goes on alone.
//
//   step             8 blocks     16 steps of 256 independent elements
//   option_paths_2   last block   reduce, sqrt, subtract, maximum, divide, ... over f32[]
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

// step: 16 steps of 256 independent elements; one element a thread, its state in registers.
//
//   in   spot_in           f32[]
//   in   volatility        f32[]
//   in   key               u32[2]
//   out  payoff_part_out   f32[256]
//
//   step          price_part, scaled
//   option_paths  key_value_1, key_value_2, price, total
//   joined = concatenate(threefry_split.first, threefry_split.second), dimensions={1}
//   loop t in [0, 16), carrying price, total:
//     price_part     = 0.001875 - volatility * volatility * 0.03125
//     scaled         = volatility * 0.25
//     uniform        = threefry2x32(joined[t,:][0], joined[t,:][1], 0, u32(iota()))
//     bits           = or(shift-right-logical(xor(uniform.first, uniform.second), 9), 1065353216)
//     as_float       = bitcast-convert(bits)
//     max            = maximum(-0.99999994, (as_float - 1) * 2 + -0.99999994)
//     negated        = -log-plus-one(max * -max)
//     is_less        = negated < 5
//     chosen_1       = select(is_less, 2.8102264e-08, -0.00020021426)
//     chosen_2       = select(is_less, negated - 2.5, sqrt(negated) - 3)
//     sum            = select(is_less, 3.4327394e-07, 0.00010095056) + chosen_1 * chosen_2
//     polynomial_1   = select(is_less, -3.5233877e-06, 0.0013493432) + sum * chosen_2
//     polynomial_2   = select(is_less, -4.3915065e-06, -0.0036734284) + polynomial_1 * chosen_2
//     polynomial_3   = select(is_less, 0.00021858087, 0.0057395077) + polynomial_2 * chosen_2
//     polynomial_4   = select(is_less, -0.001253725, -0.0076224613) + polynomial_3 * chosen_2
//     polynomial_5   = select(is_less, -0.0041776816, 0.0094388705) + polynomial_4 * chosen_2
//     polynomial_6   = select(is_less, 0.24664073, 1.001674) + polynomial_5 * chosen_2
//     polynomial     = select(is_less, 1.5014094, 2.8329768) + polynomial_6 * chosen_2
//     unscaled_shock = polynomial * max
//     shock          = select(abs(max) == 1, max * inf, unscaled_shock) * 1.4142135
//     next_price     = price * exponential(price_part + scaled * shock)
//     next_total     = total + next_price
//
// 8 blocks of 32 threads. Reads 16 B, writes 1.0 kB.
namespace step {

constexpr int kElements = 256;
constexpr int kSteps = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

// Not __restrict__: other parts of the launch read payoff_part_out.
__device__ void run(int block, const OptionPathsArrays::StepArrays& arrays) {
  const float* __restrict__ spot_in = arrays.spot_in;
  const float* __restrict__ volatility = arrays.volatility;
  const uint32_t* __restrict__ key = arrays.key;
  float* payoff_part_out = arrays.payoff_part_out;
  const int element = block * kThreads + threadIdx.x;

  const float volatility_value = volatility[0];
  const float price_part = fmaf(-(volatility_value * volatility_value), 0.03125f, 0.001875f);
  const float scaled = volatility_value * 0.25f;

  const uint32_t key_value_1 = key[0];
  const uint32_t key_value_2 = key[1];
  float price = spot_in[0];
  float total = 0.0f;

#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    const Threefry2x32 threefry_split = threefry2x32(key_value_1, key_value_2, 0u, uint32_t(t));

    const Threefry2x32 uniform =
        threefry2x32(threefry_split.first, threefry_split.second, 0u, uint32_t(element));
    const float as_float = bit_cast<float>(((uniform.first ^ uniform.second) >> 9) | 0x3f800000u);
    const float max = maximum(-0.99999994f, fmaf(as_float - 1.0f, 2.0f, -0.99999994f));
    const float negated = -log1pf(max * -max);
    const bool is_less = negated < 5.0f;
    const float chosen_1 = is_less ? 2.8102264e-8f : -0.00020021426f;
    const float chosen_2 = is_less ? negated - 2.5f : sqrtf(negated) - 3.0f;
    const float sum = fmaf(chosen_1, chosen_2, is_less ? 3.4327394e-7f : 0.00010095056f);
    const float polynomial_1 = fmaf(sum, chosen_2, is_less ? -3.5233877e-6f : 0.0013493432f);
    const float polynomial_2 =
        fmaf(polynomial_1, chosen_2, is_less ? -4.3915065e-6f : -0.0036734284f);
    const float polynomial_3 =
        fmaf(polynomial_2, chosen_2, is_less ? 0.00021858087f : 0.0057395077f);
    const float polynomial_4 =
        fmaf(polynomial_3, chosen_2, is_less ? -0.001253725f : -0.0076224613f);
    const float polynomial_5 =
        fmaf(polynomial_4, chosen_2, is_less ? -0.0041776816f : 0.0094388705f);
    const float polynomial_6 = fmaf(polynomial_5, chosen_2, is_less ? 0.24664073f : 1.001674f);
    const float unscaled_shock =
        fmaf(polynomial_6, chosen_2, is_less ? 1.5014094f : 2.8329768f) * max;
    const float shock = (fabsf(max) == 1.0f ? max * INFINITY : unscaled_shock) * 1.4142135f;
    const float next_price = price * expf(fmaf(scaled, shock, price_part));
    price = next_price;
    total += next_price;
  }

  payoff_part_out[element] = total / 16.0f;
}

}  // namespace step

// option_paths_2: reduce, sqrt, subtract, maximum, divide, ... over f32[].
//
//   in   strike        f32[]
//   in   payoff_part   f32[256]
//   out  scaled        f32[]
//   out  std           f32[]
//
//   payoff     = maximum(payoff_part - strike, 0)
//   payoff_sum = reduce(payoff, 0), dimensions={0}, to_apply=add
//   scaled     = payoff_sum / 256 * 0.9704455
//   mean       = payoff_sum / 256
//   deviation  = payoff - mean
//   square_sum = reduce(deviation * deviation, 0), dimensions={0}, to_apply=add
//   std        = sqrt(square_sum / 256)
//
// One block of 32 threads. Reads 1.0 kB, writes 8 B.
namespace option_paths_2 {

constexpr int kTerms = 256;

// No pointer is __restrict__: other parts of the launch write payoff_part.
__device__ void run(const OptionPathsArrays::OptionPaths2Arrays& arrays) {
  const auto& [strike, payoff_part, scaled, std] = arrays;
  if (threadIdx.x > 0) return;

  const float strike_value = strike[0];
  float payoff_sum = 0.0f;
  for (int k = 0; k < kTerms; ++k) payoff_sum += maximum(payoff_part[k] - strike_value, 0.0f);
  const float mean = payoff_sum / 256.0f;
  float square_sum = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    const float deviation = maximum(payoff_part[k] - strike_value, 0.0f) - mean;
    square_sum += deviation * deviation;
  }

  scaled[0] = mean * 0.9704455f;
  std[0] = sqrtf(square_sum / 256.0f);
}

}  // namespace option_paths_2

constexpr int kThreads = 32;
constexpr int kBlocks = step::kBlocks;

__global__ void __launch_bounds__(kThreads)
option_paths(const __grid_constant__ OptionPathsArrays arrays) {
  const int block = blockIdx.x;
  step::run(block, arrays.step);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  option_paths_2::run(arrays.option_paths_2);
}

}  // namespace

cudaError_t
enqueue(const OptionPathsArrays& arrays, cudaStream_t stream) {
  return launch(option_paths, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace option_paths_kernels::option_paths
