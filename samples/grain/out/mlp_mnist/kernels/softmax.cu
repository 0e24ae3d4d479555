// softmax: reduce, exponential, add, subtract, divide over f32[16,10].
//
//   in   layer3_b   f32[10]
//   in   y          f32[16,10]
//   out  probs      f32[16,10]
//
//   y_value = y + layer3_b
//   top     = reduce(y_value, -inf), dimensions={1}, to_apply=maximum
//   e_value = exponential(y_value - broadcast(top))
//   p       = reduce(e_value, 0), dimensions={1}, to_apply=add
//   probs   = e_value / broadcast(p)
//
// 16 lanes of a warp a row, 8 rows a block of 128 threads. Reads 680 B, writes 640 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/warp_reduce.cuh"

namespace mlp_mnist_kernels::softmax {
namespace {

constexpr int kRows = 16;
constexpr int kColumns = 10;
constexpr int kThreads = 128;
constexpr int kLanes = 16;  // of a warp, for each row
constexpr int kRowsPerBlock = kThreads / kLanes;

static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
softmax(const float* __restrict__ layer3_b,
        const float* __restrict__ y,
        float* __restrict__ probs) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kLanes;
  const int column = threadIdx.x % kLanes;

  // y_value, top
  float top = -INFINITY;
  float y_value;
  if (column < kColumns) {
    y_value = y[row * kColumns + column] + layer3_b[column];
    top = maximum(top, y_value);
  }
  top = warp_reduce<kLanes>(top, Maximum());

  // e_value, p
  float p = 0.0f;
  float e_value;
  if (column < kColumns) {
    e_value = expf(y_value - top);
    p += e_value;
  }
  p = warp_reduce<kLanes>(p, Add());

  // probs
  if (column < kColumns) probs[row * kColumns + column] = e_value / p;
}

}  // namespace

cudaError_t
enqueue(const float* layer3_b, const float* y, float* probs, cudaStream_t stream) {
  return launch(softmax, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                layer3_b, y, probs);
}

}  // namespace mlp_mnist_kernels::softmax
