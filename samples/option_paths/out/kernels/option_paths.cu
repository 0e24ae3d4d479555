// option_paths: reduce, sqrt, divide, subtract, maximum, ... over f32[].
//
//   in   strike     f32[]
//   in   sum        f32[256]
//   out  mul        f32[]
//   out  sqrt_out   f32[]
//
//   div_value = sum / 16
//   max       = maximum(div_value - strike, 0)
//   sum_1     = reduce(max, 0), dimensions={0}, to_apply=add
//   mul       = sum_1 / 256 * 0.9704455
//   div       = sum_1 / 256
//   sub       = max - div
//   sum_2     = reduce(sub * sub, 0), dimensions={0}, to_apply=add
//   sqrt_out  = sqrt(sum_2 / 256)
//
// One block of 256 threads; the row stays in registers. Reads 1.0 kB, writes 8 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace option_paths_kernels {
namespace {

constexpr int kRows = 1;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
option_paths(const float* __restrict__ strike,
             const float* __restrict__ sum,
             float* __restrict__ mul,
             float* __restrict__ sqrt_out) {
  const int column = threadIdx.x;

  const float strike_value = strike[0];

  // div_value, sum_1
  float sum_1 = 0.0f;
  const float div_value = sum[column] / 16.0f;
  sum_1 += maximum(div_value - strike_value, 0.0f);
  sum_1 = block_reduce<kThreads>(sum_1, Add());
  const float div = sum_1 / 256.0f;

  // sum_2
  float sum_2 = 0.0f;
  const float sub = maximum(div_value - strike_value, 0.0f) - div;
  sum_2 += sub * sub;
  sum_2 = block_reduce<kThreads>(sum_2, Add());

  if (column == 0) {
    mul[0] = sum_1 / 256.0f * 0.9704455f;
    sqrt_out[0] = sqrtf(sum_2 / 256.0f);
  }
}

}  // namespace

cudaError_t
launch_option_paths(const float* strike,
                    const float* sum,
                    float* mul,
                    float* sqrt_out,
                    cudaStream_t stream) {
  return launch(option_paths, {.grid = kRows, .block = kThreads}, stream,
                strike, sum, mul, sqrt_out);
}

}  // namespace option_paths_kernels
