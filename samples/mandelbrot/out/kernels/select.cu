// select: multiply, add, subtract, compare, and, ... over s32[32,32].
//
//   in   select_in         s32[32,32]
//   in   broadcast_in      f32[32,32]
//   in   broadcast_1_in    f32[32,32]
//   in   xs                f32[32]
//   in   ys                f32[32]
//   out  select_out        s32[32,32]
//   out  broadcast_out     f32[32,32]
//   out  broadcast_1_out   f32[32,32]
//
//   mul_1           = broadcast_in * broadcast_in
//   mul_2           = broadcast_1_in * broadcast_1_in
//   and_            = select_in < 40 and mul_1 + mul_2 < 4
//   select_out      = select(and_, select_in + 1, select_in)
//   broadcast_out   = select(and_, mul_1 - mul_2 + xs, broadcast_in)
//   add             = broadcast_in * 2 * broadcast_1_in + broadcast(ys, {0})
//   broadcast_1_out = select(and_, add, broadcast_1_in)
//
// 32 blocks of 32 threads. Reads 12.5 kB, writes 12.3 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace mandelbrot_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
select(const int* select_in,
       const float* broadcast_in,
       const float* broadcast_1_in,
       const float* __restrict__ xs,
       const float* __restrict__ ys,
       int* select_out,
       float* broadcast_out,
       float* broadcast_1_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 32;
  const int column = element % 32;

  // alive
  const int select_value = select_in[element];
  const float broadcast_value = broadcast_in[element];
  const float mul_1 = broadcast_value * broadcast_value;
  const float broadcast_1_value = broadcast_1_in[element];
  const float mul_2 = broadcast_1_value * broadcast_1_value;
  const bool and_ = select_value < 40 && mul_1 + mul_2 < 4.0f;

  // step
  const float add = fmaf(broadcast_value * 2.0f, broadcast_1_value, ys[row]);

  select_out[element] = and_ ? select_value + 1 : select_value;
  broadcast_out[element] = and_ ? mul_1 - mul_2 + xs[column] : broadcast_value;
  broadcast_1_out[element] = and_ ? add : broadcast_1_value;
}

}  // namespace

cudaError_t
launch_select(const int* select_in,
              const float* broadcast_in,
              const float* broadcast_1_in,
              const float* xs,
              const float* ys,
              int* select_out,
              float* broadcast_out,
              float* broadcast_1_out,
              cudaStream_t stream) {
  return launch(select, {.grid = kElements / kThreads, .block = kThreads}, stream,
                select_in, broadcast_in, broadcast_1_in, xs, ys, select_out, broadcast_out,
                broadcast_1_out);
}

}  // namespace mandelbrot_kernels
