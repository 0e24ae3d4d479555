// any: reduce, multiply, add, compare, and over pred[].
//
//   in   select        s32[32,32]
//   in   broadcast     f32[32,32]
//   in   broadcast_1   f32[32,32]
//   out  any_out       pred[]
//
//   mul     = broadcast * broadcast
//   lt      = mul + broadcast_1 * broadcast_1 < 4
//   any_out = reduce(select < 40 and lt, false), dimensions={0,1}, to_apply=or
//
// One block of 256 threads. Reads 12.3 kB, writes 1 B.

#include "kernels.h"

#include "device/block_reduce.cuh"
#include "device/combine.cuh"
#include "device/launch.cuh"

namespace mandelbrot_kernels {
namespace {

constexpr int kRows = 1;
constexpr int kColumns = 1024;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
any(const int* __restrict__ select,
    const float* __restrict__ broadcast,
    const float* __restrict__ broadcast_1,
    bool* __restrict__ any_out) {
  // any_1
  bool any_1 = false;
  for (int column = threadIdx.x; column < kColumns; column += kThreads) {
    const float broadcast_value = broadcast[column];
    const float mul = broadcast_value * broadcast_value;
    const float broadcast_1_value = broadcast_1[column];
    const bool lt = fmaf(broadcast_1_value, broadcast_1_value, mul) < 4.0f;
    any_1 = any_1 || (select[column] < 40 && lt);
  }
  any_1 = block_reduce<kThreads>(any_1, Or());

  if (threadIdx.x == 0) any_out[0] = any_1;
}

}  // namespace

cudaError_t
launch_any(const int* select,
           const float* broadcast,
           const float* broadcast_1,
           bool* any_out,
           cudaStream_t stream) {
  return launch(any, {.grid = kRows, .block = kThreads}, stream,
                select, broadcast, broadcast_1, any_out);
}

}  // namespace mandelbrot_kernels
