// any: compare, multiply, add, and, reduce over pred[].
//
//   in   select      s32[32,32]
//   in   broadcast   f32[32,32]
//   in   broadcast   f32[32,32]
//   out  any         pred[]
//
//   lt_1  = compare(select, 40)
//   mul_1 = multiply(broadcast, broadcast)
//   mul_2 = multiply(broadcast, broadcast)
//   add   = add(mul_1, mul_2)
//   lt_2  = compare(add, 4)
//   and_  = and(lt_1, lt_2)
//   any   = reduce(and_, false), dimensions={0,1}, to_apply=or
//
// One block of 256 threads a row. Reads 12.3 kB, writes 1 B.

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
  // any
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
