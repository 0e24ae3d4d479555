// option_paths: 2 computations, in one launch whose last block to finish goes on alone.
//
//   step             8 blocks     16 steps of 256 independent elements
//   option_paths_1   last block   reduce, sqrt, subtract, maximum, divide, ... over f32[]
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
//   in   spot_in      f32[]
//   in   volatility   f32[]
//   in   key          u32[2]
//   out  div_out      f32[256]
//
//   step          sub, mul
//   option_paths  key_value_1, key_value_2, price, total
//   loop t in [0, 16), carrying price, total:
//     option_paths  div_out, threefry_split
//     step          price, total
//
// 8 blocks of 32 threads. Reads 16 B, writes 1.0 kB.
namespace step {

constexpr int kElements = 256;
constexpr int kSteps = 16;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const OptionPathsArrays::StepArrays& arrays) {
  const float* __restrict__ spot_in = arrays.spot_in;
  const float* __restrict__ volatility = arrays.volatility;
  const uint32_t* __restrict__ key = arrays.key;
  float* div_out = arrays.div_out;
  const int element = block * kThreads + threadIdx.x;

  // step
  const float volatility_value = volatility[0];
  const float sub = fmaf(-(volatility_value * volatility_value), 0.03125f, 0.001875f);
  const float mul = volatility_value * 0.25f;

  // option_paths
  const uint32_t key_value_1 = key[0];
  const uint32_t key_value_2 = key[1];
  float price = spot_in[0];
  float total = 0.0f;

#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    // option_paths
    const Threefry2x32 threefry_split = threefry2x32(key_value_1, key_value_2, 0u, uint32_t(t));

    // step
    const Threefry2x32 uniform =
        threefry2x32(threefry_split.first, threefry_split.second, 0u, uint32_t(element));
    const float bitcast_convert_type =
        bit_cast<float>(((uniform.first ^ uniform.second) >> 9) | 0x3f800000u);
    const float add = fmaf(bitcast_convert_type - 1.0f, 2.0f, -0.99999994f);
    const float max = maximum(-0.99999994f, add);
    const float erf_inv_1 = -log1pf(max * -max);
    const bool is_less = erf_inv_1 < 5.0f;
    const float select_1 = is_less ? 2.8102264e-8f : -0.00020021426f;
    const float select_2 = is_less ? erf_inv_1 - 2.5f : sqrtf(erf_inv_1) - 3.0f;
    const float erf_inv_2 = fmaf(select_1, select_2, is_less ? 3.4327394e-7f : 0.00010095056f);
    const float erf_inv_3 = fmaf(erf_inv_2, select_2, is_less ? -3.5233877e-6f : 0.0013493432f);
    const float erf_inv_4 = fmaf(erf_inv_3, select_2, is_less ? -4.3915065e-6f : -0.0036734284f);
    const float erf_inv_5 = fmaf(erf_inv_4, select_2, is_less ? 0.00021858087f : 0.0057395077f);
    const float erf_inv_6 = fmaf(erf_inv_5, select_2, is_less ? -0.001253725f : -0.0076224613f);
    const float erf_inv_7 = fmaf(erf_inv_6, select_2, is_less ? -0.0041776816f : 0.0094388705f);
    const float erf_inv_8 = fmaf(erf_inv_7, select_2, is_less ? 0.24664073f : 1.001674f);
    const float erf_inv_9 = fmaf(erf_inv_8, select_2, is_less ? 1.5014094f : 2.8329768f) * max;
    const float shock = (fabsf(max) == 1.0f ? max * INFINITY : erf_inv_9) * 1.4142135f;
    const float next_price = price * expf(fmaf(mul, shock, sub));
    price = next_price;
    total += next_price;
  }

  div_out[element] = total / 16.0f;
}

}  // namespace step

// option_paths_1: reduce, sqrt, subtract, maximum, divide, ... over f32[].
//
//   in   strike     f32[]
//   in   div        f32[256]
//   out  mul        f32[]
//   out  sqrt_out   f32[]
//
//   payoff   = maximum(div - strike, 0)
//   sum_1    = reduce(payoff, 0), dimensions={0}, to_apply=add
//   mul      = sum_1 / 256 * 0.9704455
//   div_1    = sum_1 / 256
//   sub      = payoff - div_1
//   sum_2    = reduce(sub * sub, 0), dimensions={0}, to_apply=add
//   sqrt_out = sqrt(sum_2 / 256)
//
// One block of 32 threads. Reads 1.0 kB, writes 8 B.
namespace option_paths_1 {

__device__ void run(const OptionPathsArrays::OptionPaths1Arrays& arrays) {
  const float* __restrict__ strike = arrays.strike;
  const float* div = arrays.div;
  float* __restrict__ mul = arrays.mul;
  float* __restrict__ sqrt_out = arrays.sqrt_out;
  if (threadIdx.x > 0) return;

  const float strike_value = strike[0];
  float sum_1 = 0.0f;
  for (int k = 0; k < 256; ++k) sum_1 += maximum(div[k] - strike_value, 0.0f);
  const float div_1 = sum_1 / 256.0f;
  float sum_2 = 0.0f;
  for (int k = 0; k < 256; ++k) {
    const float sub = maximum(div[k] - strike_value, 0.0f) - div_1;
    sum_2 += sub * sub;
  }

  mul[0] = sum_1 / 256.0f * 0.9704455f;
  sqrt_out[0] = sqrtf(sum_2 / 256.0f);
}

}  // namespace option_paths_1

constexpr int kThreads = 32;
constexpr int kBlocks = step::kBlocks;

__global__ void __launch_bounds__(kThreads)
option_paths(const __grid_constant__ OptionPathsArrays arrays) {
  const int block = blockIdx.x;
  step::run(block, arrays.step);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  option_paths_1::run(arrays.option_paths_1);
}

}  // namespace

cudaError_t
enqueue(const OptionPathsArrays& arrays, cudaStream_t stream) {
  return launch(option_paths, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace option_paths_kernels::option_paths
