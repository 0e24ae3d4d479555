// running_sum: reduce-window, exponential, subtract, divide over f32[8,40].
//
//   in   topk_2            f32[8,40]
//   in   top               f32[8]
//   in   p                 f32[8]
//   out  running_sum_out   f32[8,40]
//
//   running_sum_out = reduce-window(exponential(topk_2 - broadcast(top)) / broadcast(p), 0),
//                     window={size=1x40 pad=0_0x39_0}, to_apply=add
//
// A row a block of 64 threads. Reads 1.3 kB, writes 1.3 kB.

#include "kernels.h"

#include "device/block_scan.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace token_sampling_kernels::running_sum {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 40;
constexpr int kThreads = 64;

__global__ void __launch_bounds__(kThreads)
running_sum(const float* __restrict__ topk_2,
            const float* __restrict__ top,
            const float* __restrict__ p,
            float* __restrict__ running_sum_out) {
  const int row = blockIdx.x;

  float carry = 0.0f;
  const int column = threadIdx.x;
  float value = 0.0f;
  if (column < kColumns) value = expf(topk_2[row * kColumns + column] - top[row]) / p[row];
  const float sum = block_scan<kThreads>(value, Add(), &carry);
  if (column < kColumns) running_sum_out[row * kColumns + column] = sum;
}

}  // namespace

cudaError_t
enqueue(const float* topk_2, const float* top, const float* p, float* running_sum_out,
        cudaStream_t stream) {
  return launch(running_sum, {.grid = kRows, .block = kThreads}, stream,
                topk_2, top, p, running_sum_out);
}

}  // namespace token_sampling_kernels::running_sum
