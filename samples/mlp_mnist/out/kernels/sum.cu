// sum: reduce, exponential, add, subtract, divide over f32[16,10].
//
//   in   params_2_b   f32[10]
//   in   dot          f32[16,10]
//   out  div          f32[16,10]
//
//   max               = reduce(dot + params_2_b, -inf), dimensions={1}, to_apply=maximum
//   exponential_value = exponential(dot + params_2_b - broadcast(max))
//   sum_1             = reduce(exponential_value, 0), dimensions={1}, to_apply=add
//   div               = exponential_value / broadcast(sum_1)
//
// 16 lanes of a warp a row, 8 rows a block of 128 threads. Reads 680 B, writes 640 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace mlp_mnist_kernels::sum {
namespace {

constexpr int kRows = 16;
constexpr int kColumns = 10;
constexpr int kThreads = 128;
constexpr int kLanes = 16;  // of a warp, for each row
constexpr int kRowsPerBlock = kThreads / kLanes;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
sum(const float* __restrict__ params_2_b, const float* __restrict__ dot, float* __restrict__ div) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kLanes;
  const int column = threadIdx.x % kLanes;

  // max
  float max = -INFINITY;
  float params_2_b_value, dot_value;
  if (column < kColumns) {
    params_2_b_value = params_2_b[column];
    dot_value = dot[row * kColumns + column];
    max = maximum(max, dot_value + params_2_b_value);
  }
  max = warp_reduce<kLanes>(max, Maximum());

  // exponential_value, sum_1
  float sum_1 = 0.0f;
  float exponential_value;
  if (column < kColumns) {
    exponential_value = expf(dot_value + params_2_b_value - max);
    sum_1 += exponential_value;
  }
  sum_1 = warp_reduce<kLanes>(sum_1, Add());

  // div
  if (column < kColumns) div[row * kColumns + column] = exponential_value / sum_1;
}

}  // namespace

cudaError_t
enqueue(const float* params_2_b, const float* dot, float* div, cudaStream_t stream) {
  return launch(sum, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                params_2_b, dot, div);
}

}  // namespace mlp_mnist_kernels::sum
