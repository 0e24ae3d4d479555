// token_sampling_3: reduce-window, exponential, subtract, divide over f32[8,40].
//
//   in   values            f32[8,40]
//   in   values_max        f32[8]
//   in   weight_sum        f32[8]
//   out  running_sum_out   f32[8,40]
//
//   weight          = exponential(values - broadcast(values_max))
//   running_sum_out = reduce-window(weight / broadcast(weight_sum), 0),
//                     window={size=1x40 pad=0_0x39_0}, to_apply=add
//
// A row a block of 64 threads. Reads 1.3 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/block_scan.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace token_sampling_kernels::token_sampling_3 {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 40;
constexpr int kThreads = 64;

__global__ void __launch_bounds__(kThreads)
token_sampling_3(const float* __restrict__ values,
                 const float* __restrict__ values_max,
                 const float* __restrict__ weight_sum,
                 float* __restrict__ running_sum_out) {
  const int row = blockIdx.x;

  float carry = 0.0f;
  const int column = threadIdx.x;
  float value = 0.0f;
  if (column < kColumns) {
    const float weight = expf(values[row * kColumns + column] - values_max[row]);
    value = weight / weight_sum[row];
  }
  const float sum = block_scan<kThreads>(value, Add(), &carry);
  if (column < kColumns) running_sum_out[row * kColumns + column] = sum;
}

}  // namespace

cudaError_t
enqueue(const float* values, const float* values_max, const float* weight_sum,
        float* running_sum_out, cudaStream_t stream) {
  return launch(token_sampling_3, {.grid = kRows, .block = kThreads}, stream,
                values, values_max, weight_sum, running_sum_out);
}

}  // namespace token_sampling_kernels::token_sampling_3
