// weight_sum: reduce, exponential, add, subtract, divide over f32[16,10].
//
//   in   params_2_b    f32[10]
//   in   dense         f32[16,10]
//   out  probability   f32[16,10]
//
//   sum_value    = dense + params_2_b
//   max          = reduce(sum_value, -inf), dimensions={1}, to_apply=maximum
//   weight_value = exponential(sum_value - broadcast(max))
//   weight_sum   = reduce(weight_value, 0), dimensions={1}, to_apply=add
//   probability  = weight_value / broadcast(weight_sum)
//
// 16 lanes of a warp a row, 8 rows a block of 128 threads. Reads 680 B, writes 640 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace mlp_mnist_kernels::weight_sum {
namespace {

constexpr int kRows = 16;
constexpr int kColumns = 10;
constexpr int kThreads = 128;
constexpr int kLanes = 16;  // of a warp, for each row
constexpr int kRowsPerBlock = kThreads / kLanes;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
weight_sum(const float* __restrict__ params_2_b,
           const float* __restrict__ dense,
           float* __restrict__ probability) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kLanes;
  const int column = threadIdx.x % kLanes;

  // sum_value, max
  float max = -INFINITY;
  float sum_value;
  if (column < kColumns) {
    sum_value = dense[row * kColumns + column] + params_2_b[column];
    max = maximum(max, sum_value);
  }
  max = warp_reduce<kLanes>(max, Maximum());

  // weight_value, weight_sum
  float weight_sum = 0.0f;
  float weight_value;
  if (column < kColumns) {
    weight_value = expf(sum_value - max);
    weight_sum += weight_value;
  }
  weight_sum = warp_reduce<kLanes>(weight_sum, Add());

  // probability
  if (column < kColumns) probability[row * kColumns + column] = weight_value / weight_sum;
}

}  // namespace

cudaError_t
enqueue(const float* params_2_b, const float* dense, float* probability, cudaStream_t stream) {
  return launch(weight_sum, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                params_2_b, dense, probability);
}

}  // namespace mlp_mnist_kernels::weight_sum
