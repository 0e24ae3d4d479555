// best: 2 computations, in one launch that divides its blocks among them.
//
//   best_2    1 block    reduce, add over s32[32]
//   softmax   4 blocks   reduce, exponential, add, subtract, divide over f32[32,4]
//
// 5 blocks of 32 threads.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"

namespace classifier_kernels::best {
namespace {

// best_2: reduce, add over s32[32].
//
//   in   y              f32[32,4]
//   in   net_second_b   f32[4]
//   out  best_out       s32[32]
//
//   y_1      = y + net_second_b
//   best_out = reduce(y_1, iota({1}), -inf, 0), dimensions={1}, to_apply=best
//
// One block of 32 threads. Reads 528 B, writes 128 B.
namespace best_2 {

constexpr int kElements = 32;
constexpr int kThreads = 32;
constexpr int kBlocks = 1;

static_assert(kElements == kThreads, "a thread of the one block has an element");

__device__ void run(const BestArrays::Best2Arrays& arrays) {
  const float* __restrict__ y = arrays.y;
  const float* __restrict__ net_second_b = arrays.net_second_b;
  int* __restrict__ best_out = arrays.best_out;
  const int element = threadIdx.x;

  float best_1 = -INFINITY;
  int best_2 = 0;
  const Vector<float, 4> y_values = load_vector<4>(y + element * 4);
  const Vector<float, 4> net_second_b_values = load_vector<4>(net_second_b);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float y_1 = y_values[k] + net_second_b_values[k];
    const bool either = best_1 >= y_1 || isnan(best_1);
    const float next_1 = either ? best_1 : y_1;
    const int next_2 = either ? best_2 : k;
    best_1 = next_1;
    best_2 = next_2;
  }

  best_out[element] = best_2;
}

}  // namespace best_2

// softmax: reduce, exponential, add, subtract, divide over f32[32,4].
//
//   in   y              f32[32,4]
//   in   net_second_b   f32[4]
//   out  probs          f32[32,4]
//
//   y_1   = y + net_second_b
//   top   = reduce(y_1, -inf), dimensions={1}, to_apply=maximum
//   e     = exponential(y_1 - broadcast(top))
//   p     = reduce(e, 0), dimensions={1}, to_apply=add
//   probs = e / broadcast(p)
//
// 4 blocks of 32 threads. Reads 528 B, writes 512 B.
namespace softmax {

constexpr int kRows = 32;
constexpr int kColumns = 4;
constexpr int kElements = kRows * kColumns;  // 128
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const BestArrays::SoftmaxArrays& arrays) {
  const float* __restrict__ y = arrays.y;
  const float* __restrict__ net_second_b = arrays.net_second_b;
  float* __restrict__ probs = arrays.probs;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // dense
  const Vector<float, 4> y_values = load_vector<4>(y + row * 4);
  const float y_1_1 = y_values[0] + 0.108f;
  const float y_1_2 = y_values[1] + 0.34f;
  const float y_1_3 = y_values[2] + 0.697f;
  const float y_1_4 = y_values[3] + -0.057f;

  const float top = maximum(y_1_1, y_1_2, y_1_3, y_1_4);
  const float p = expf(y_1_1 - top) + expf(y_1_2 - top) + expf(y_1_3 - top) + expf(y_1_4 - top);

  probs[element] = expf(y[element] + net_second_b[column] - top) / p;
}

}  // namespace softmax

constexpr int kThreads = 32;
constexpr int kBlocks = best_2::kBlocks + softmax::kBlocks;

__global__ void __launch_bounds__(kThreads)
best(const __grid_constant__ BestArrays arrays) {
  int block = blockIdx.x;
  if (block < best_2::kBlocks) {
    best_2::run(arrays.best_2);
    return;
  }
  block -= best_2::kBlocks;
  softmax::run(block, arrays.softmax);
}

}  // namespace

cudaError_t
enqueue(const BestArrays& arrays, cudaStream_t stream) {
  return launch(best, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace classifier_kernels::best
